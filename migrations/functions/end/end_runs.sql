-- How a run's end is decided and written: behind its fence, under its key's lock.
--
-- Steps, each a statement of its own: lock the subjects, sorted; lock the jobs by id and fence;
-- decide; write. A retry, a hand-back or a reclaim goes the same way as a commit: whoever puts a
-- keyed job back looks again whether it is still wanted.
-- Locks: subjects sorted, then jobs by id; a lane only where a job goes on in another.

-- Ends runs, many at a time, each on its own merits. With `patient` false a job that is locked
-- just then, or whose key is, is left alone and called `busy`.
CREATE OR REPLACE FUNCTION tenure.end_runs(endings tenure.ending[], patient boolean)
RETURNS SETOF tenure.ended
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    busy      uuid[];
    locked    tenure.job[];
    decisions tenure.decision[];
    subjects  tenure.subject[];
    in_batches boolean;
    expires    boolean;
    is_awaited boolean;
    by_keys    boolean;
    noted      uuid[] := '{}';
BEGIN
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.unfold(array(SELECT e.id FROM unnest(endings) AS e),
                          array(SELECT e.fence FROM unnest(endings) AS e), patient);
    busy := tenure.lock_subjects(array(SELECT e.id FROM unnest(endings) AS e), NULL, patient);
    locked := CASE WHEN patient THEN array(
        SELECT l.job FROM (SELECT e.id, e.fence FROM unnest(endings) AS e ORDER BY e.id) AS e
        CROSS JOIN LATERAL (
            SELECT j AS job FROM tenure.job j WHERE j.id = e.id AND j.fence = e.fence
            FOR UPDATE) AS l)
    ELSE array(
        SELECT l.job FROM (
            SELECT e.id, e.fence FROM unnest(endings) AS e
            WHERE e.id <> ALL (busy) ORDER BY e.id) AS e
        CROSS JOIN LATERAL (
            SELECT j AS job FROM tenure.job j WHERE j.id = e.id AND j.fence = e.fence
            FOR UPDATE SKIP LOCKED) AS l) END;
    IF NOT patient THEN
        busy := busy || array(
            SELECT j.id FROM unnest(endings) AS e CROSS JOIN LATERAL (
                SELECT j.id FROM tenure.job j
                WHERE j.id = e.id AND tenure.runs_as(j, e.fence) OFFSET 0) AS j
            WHERE j.id NOT IN (SELECT l.id FROM unnest(locked) AS l));
    END IF;
    -- What most jobs don't have is asked for once.
    SELECT bool_or(l.batch_id IS NOT NULL), bool_or(l.not_after IS NOT NULL),
           bool_or(l.has_waiters) INTO in_batches, expires, is_awaited FROM unnest(locked) AS l;
    IF in_batches THEN
        endings := tenure.heed_batches(endings, locked);
    END IF;
    SELECT coalesce(array_agg(s.subject), '{}'), bool_or((s.subject).is_awaited)
    INTO subjects, by_keys
    FROM (SELECT DISTINCT l.kind, l.key FROM unnest(locked) AS l WHERE l.key IS NOT NULL) AS w
    CROSS JOIN LATERAL (
        SELECT s AS subject FROM tenure.subject_of(w.kind, w.key) AS s) AS s;
    decisions := array(
        SELECT tenure.decide(l, s, e, l.key IS NOT NULL AND EXISTS (
                   SELECT FROM tenure.job n
                   WHERE n.kind = l.kind AND n.key = l.key
                     AND n.generation >= greatest(l.generation + 1, s.floor)
                     AND n.state <> 'running'
                     AND (n.not_after IS NULL OR n.not_after > clock_timestamp())
                     AND NOT EXISTS (SELECT FROM tenure.batch_ending(n.batch_id)) OFFSET 0))
        -- By the fence, too: a group may hold a stale run's end beside the current one's.
        FROM unnest(endings) AS e JOIN unnest(locked) AS l ON l.id = e.id AND l.fence = e.fence
        LEFT JOIN unnest(subjects) AS s ON s.kind = l.kind AND s.key = l.key);
    IF expires THEN
        decisions := tenure.heed_expiry(decisions, locked);
    END IF;
    PERFORM tenure.apply_decisions(decisions);
    IF is_awaited THEN
        noted := tenure.note_decided(decisions, locked);
    END IF;
    IF by_keys THEN
        noted := noted || tenure.decide_ended(decisions, locked);
    END IF;
    IF EXISTS (SELECT FROM unnest(endings) AS e WHERE e.also IS NOT NULL) THEN
        PERFORM tenure.change_lanes(endings, decisions);
        IF EXISTS (SELECT FROM unnest(decisions) AS d WHERE d.became = 'waiting') THEN
            decisions := tenure.enter_waits(endings, decisions);
        END IF;
        PERFORM tenure.write_logs(array_agg(d.id), array_agg(d.fence), array_agg(e.also -> 'log'))
        FROM unnest(endings) AS e JOIN unnest(decisions) AS d ON d.id = e.id AND d.fence = e.fence
        WHERE jsonb_typeof(e.also -> 'log') = 'array' HAVING count(*) > 0;
    END IF;
    PERFORM tenure.release_successors(subjects);
    RETURN QUERY
        SELECT e.id, e.fence,
               CASE WHEN e.id = ANY (busy) THEN 'busy' ELSE coalesce(d.became, 'late') END,
               d.id = ANY (noted)
        FROM unnest(endings) AS e
        LEFT JOIN unnest(decisions) AS d ON d.id = e.id AND d.fence = e.fence;
END $$;

-- `end_runs` for callers with one jsonb array.
CREATE OR REPLACE FUNCTION tenure.end_runs(endings jsonb, patient boolean)
RETURNS SETOF tenure.ended
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    odd text;
BEGIN
    PERFORM tenure.check_json('result', e.value -> 'result'), tenure.check_also(e.value -> 'also')
    FROM jsonb_array_elements(endings) AS e;
    SELECT e.value ->> 'wanted' INTO odd FROM jsonb_array_elements(endings) AS e
    WHERE (e.value ->> 'wanted' IN (
        'completed', 'failed', 'snoozed', 'discarded', 'cancelled', 'superseded', 'handed_back',
        'held', 'unbegun', 'waits', 'reclaimed')) IS NOT TRUE LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'what is wanted of a run is "%"', left(coalesce(odd, 'null'), 64)
            USING ERRCODE = 'TN003', HINT = 'use completed, failed, snoozed, discarded, cancelled, '
                'superseded, handed_back, held, unbegun or waits';
    END IF;
    RETURN QUERY
    SELECT * FROM tenure.end_runs(array(
        SELECT (e.id, e.fence, e.wanted, e.delay, e.result, e.reason, e.error_code,
                e.error_message, e.hold_version, e.also)::tenure.ending
        FROM jsonb_to_recordset(endings) AS e (
            id uuid, fence bigint, wanted text, delay interval, result jsonb, reason text,
            error_code text, error_message text, hold_version text, also jsonb)), patient);
END $$;
