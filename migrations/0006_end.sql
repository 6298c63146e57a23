-- How a run's end is decided and written: behind its fence, under its key's lock.
--
-- Steps, each a statement of its own: lock the subjects, sorted; lock the jobs by id and fence;
-- decide; write. A retry, a hand-back or a reclaim goes the same way as a commit: whoever puts a
-- keyed job back looks again whether it is still wanted.
-- Locks: subjects sorted, then jobs by id; a lane only where a job goes on in another.

-- One run's end as the worker reports it. `wanted` is one of: completed, failed, snoozed,
-- discarded, cancelled, superseded, handed_back, held, reclaimed, unbegun. `lanes` says what else
-- is to be done: {"hold": {"queue", "lane", "for", "reason"}} puts a lane on hold;
-- {"move": {"lane", "max_running", "min_interval", "payload", "payload_version"}} lets a snoozed
-- job go on in another.
CREATE TYPE tenure.ending AS (
    id uuid, fence bigint, wanted text, delay interval, result jsonb, reason text,
    error_code text, error_message text, hold_version text, lanes jsonb
);

-- What became of it: completed, retryable, scheduled, available, held, discarded, cancelled,
-- superseded; `late` when the fence was gone; `busy` when it was locked and no one waited.
CREATE TYPE tenure.ended AS (id uuid, fence bigint, became text);

-- A job and the decision on it, under locks.
CREATE TYPE tenure.decision AS (
    id uuid, fence bigint, became text, delay interval, result jsonb, reason text, refund boolean,
    error_code text, error_message text, hold_version text, unbegun boolean
);

-- Refunds are bounded, so that nothing circles for ever unseen.
CREATE FUNCTION tenure.max_refunds() RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT 1000 $$;

-- The one place where the end of a run is decided. A cancelled job is cancelled, and an outdated
-- one superseded, whatever it came to say; then its own word counts.
CREATE FUNCTION tenure.decide(j tenure.job, s tenure.subject, e tenure.ending, newer boolean)
RETURNS tenure.decision
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    spent   boolean := j.attempt >= j.max_attempts;
    refunds boolean := j.refunds < tenure.max_refunds();
    outdated boolean := j.generation IS NOT NULL
                        AND (s.floor > j.generation OR s.committed >= j.generation);
    d       tenure.decision;
BEGIN
    d.id := j.id; d.fence := j.fence;
    -- No pause is longer than a clock can bear.
    d.delay := CASE WHEN e.delay > '3650 days' THEN '3650 days' WHEN e.delay < '0' THEN '0'
                    ELSE e.delay END;
    d.result := e.result; d.reason := e.reason;
    d.refund := false;
    d.unbegun := e.wanted = 'unbegun';
    IF j.ending_at IS NOT NULL OR e.wanted = 'cancelled' THEN
        d.became := 'cancelled'; d.refund := true;
        d.reason := coalesce(j.ending_by, e.reason);
    ELSIF outdated OR e.wanted = 'superseded' THEN
        d.became := 'superseded'; d.refund := true;
        d.reason := 'superseded by generation ' || greatest(s.floor, s.committed);
    ELSIF newer AND e.wanted NOT IN ('completed', 'discarded') THEN
        -- Its coalesced successor waits with newer content: that one runs instead.
        d.became := 'superseded'; d.refund := true; d.reason := 'a newer job of its key waits';
    ELSIF e.wanted IN ('completed', 'discarded') THEN
        d.became := e.wanted;
    ELSIF d.unbegun THEN
        -- It was claimed, and no handler has begun: that costs nothing, however often.
        d.became := 'available'; d.refund := true;
    ELSIF e.wanted = 'held' THEN
        d.became := 'held'; d.refund := true; d.hold_version := e.hold_version;
    ELSIF e.wanted IN ('snoozed', 'handed_back') AND refunds THEN
        d.became := CASE WHEN e.delay > '0' THEN 'scheduled' ELSE 'available' END;
        d.refund := true;
    ELSIF spent THEN
        d.became := 'discarded';
        d.reason := coalesce(e.reason, 'attempts are spent');
    ELSIF e.wanted = 'failed' THEN
        d.became := 'retryable';
    ELSE  -- reclaimed, or handed back more often than is refunded
        d.became := CASE WHEN e.delay > '0' THEN 'scheduled' ELSE 'available' END;
    END IF;
    -- A run that was to stop has not failed, whatever it died of.
    IF e.wanted IN ('failed', 'reclaimed', 'discarded')
       AND d.became NOT IN ('cancelled', 'superseded') THEN
        d.error_code := e.error_code; d.error_message := e.error_message;
    END IF;
    RETURN d;
END $$;

-- Locks the subjects of running jobs and of follow-ups, in one order. With `patient` it waits;
-- without, it skips, and the jobs of a skipped subject are returned.
CREATE FUNCTION tenure.lock_subjects(ids uuid[], follow_ups jsonb, patient boolean)
RETURNS uuid[]
LANGUAGE plpgsql AS $$
DECLARE
    locked tenure.subject_lock[];
    keeps  CONSTANT boolean := tenure.keeps_snapshot();
BEGIN
    IF keeps THEN
        PERFORM tenure.require_current_batches_of(ids);
    END IF;
    IF follow_ups IS NOT NULL THEN
        PERFORM tenure.lock_or_make_subjects(array_agg(w.kind), array_agg(w.key)) FROM (
            SELECT j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) AND j.key IS NOT NULL
            UNION ALL
            SELECT f.kind, f.key FROM jsonb_to_recordset(follow_ups) AS f (kind text, key text)
            WHERE f.key IS NOT NULL) AS w;
        IF keeps THEN
            PERFORM tenure.require_current_jobs(ids);
        END IF;
        RETURN '{}';
    END IF;
    -- `key IS NOT NULL` beside the ids would invite the whole of job_key.
    locked := CASE WHEN patient THEN array(
        SELECT s.subject FROM (
            SELECT DISTINCT j.kind, j.key FROM (
                SELECT j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) OFFSET 0) AS j
            WHERE j.key IS NOT NULL ORDER BY j.kind, j.key) AS w
        CROSS JOIN LATERAL (
            SELECT s AS subject FROM tenure.subject_lock s
            WHERE s.kind = w.kind AND s.key = w.key FOR NO KEY UPDATE) AS s)
    ELSE array(
        SELECT s.subject FROM (
            SELECT DISTINCT j.kind, j.key FROM (
                SELECT j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) OFFSET 0) AS j
            WHERE j.key IS NOT NULL ORDER BY j.kind, j.key) AS w
        CROSS JOIN LATERAL (
            SELECT s AS subject FROM tenure.subject_lock s
            WHERE s.kind = w.kind AND s.key = w.key FOR NO KEY UPDATE SKIP LOCKED) AS s) END;
    PERFORM tenure.require_current_view(
        array(SELECT l.kind FROM unnest(locked) AS l), array(SELECT l.key FROM unnest(locked) AS l))
    WHERE locked <> '{}';
    IF patient THEN
        IF keeps THEN  -- jobs without a key are decided upon too
            PERFORM tenure.require_current_jobs(ids);
        END IF;
        RETURN '{}';
    END IF;
    RETURN array(
        SELECT j.id FROM (
            SELECT j.id, j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) OFFSET 0) AS j
        WHERE j.key IS NOT NULL AND NOT EXISTS (
            SELECT FROM unnest(locked) AS l WHERE l.kind = j.kind AND l.key = j.key));
END $$;

-- Writes decisions. The jobs are locked, and so are their subjects.
CREATE FUNCTION tenure.apply_decisions(decisions tenure.decision[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    ids    uuid[] := array(SELECT d.id FROM unnest(decisions) AS d);
    -- Most runs come to an end of their job, and say no error: what else there may be to write is
    -- not asked for.
    failed uuid[] := array(SELECT d.id FROM unnest(decisions) AS d
                           WHERE d.error_code IS NOT NULL);
    back   uuid[] := array(SELECT d.id FROM unnest(decisions) AS d
                           WHERE d.became IN ('available', 'scheduled', 'retryable', 'held'));
BEGIN
    IF failed <> '{}' THEN
        INSERT INTO tenure.attempt_error (job_id, fence, attempt, session_id, code, message)
        SELECT j.id, j.fence, j.attempt, j.session_id, d.error_code, d.error_message
        FROM unnest(decisions) AS d JOIN tenure.job j ON j.id = d.id
        WHERE d.error_code IS NOT NULL AND j.id = ANY (failed);
    END IF;

    -- By its key, whatever the statistics say; they are locked, and there.
    INSERT INTO tenure.subject AS s (kind, key, issued, committed)
    SELECT j.kind, j.key, coalesce(max(s.issued), max(j.generation)), max(j.generation)
    FROM unnest(decisions) AS d CROSS JOIN LATERAL (
        SELECT j.kind, j.key, j.generation FROM tenure.job j WHERE j.id = d.id OFFSET 0) AS j
    LEFT JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s ON true
    WHERE d.became = 'completed' AND j.key IS NOT NULL
    GROUP BY j.kind, j.key
    ON CONFLICT (kind, key, issued) DO UPDATE
    SET committed = greatest(s.committed, EXCLUDED.committed), touched_at = clock_timestamp();

    WITH gone AS (
        DELETE FROM tenure.job j USING unnest(decisions) AS d
        WHERE j.id = d.id AND j.id = ANY (ids)
          AND d.became IN ('completed', 'discarded', 'cancelled', 'superseded')
        RETURNING j.*, d.became, d.result, d.reason, d.refund, d.unbegun
    )
    INSERT INTO tenure.job_history (
        id, batch_id, parent_id, retry_of, generation, fence, session_id, run_at, created_at,
        claimed_at, outcome, attempt, max_attempts, runs, payload_version, priority, kind, queue,
        key, lane, payload, result, reason, trace)
    SELECT g.id, g.batch_id, g.parent_id, g.retry_of, g.generation, g.fence, g.session_id, g.run_at,
           g.created_at, CASE WHEN NOT g.unbegun THEN g.claimed_at END,
           g.became::tenure.job_outcome, g.attempt - g.refund::integer, g.max_attempts, g.runs,
           g.payload_version, g.priority, g.kind, g.queue, g.key, g.lane, g.payload, g.result,
           g.reason, g.trace
    FROM gone g
    WHERE g.became <> 'completed' OR NOT EXISTS (
        SELECT FROM tenure.queue q WHERE q.name = g.queue AND NOT q.keep_completed);

    IF back = '{}' THEN
        RETURN;
    END IF;
    UPDATE tenure.job j
    SET state = d.became::tenure.job_state, fence = NULL, session_id = NULL, claimed_at = NULL,
        run_at = clock_timestamp() + coalesce(d.delay, '0'), calendar = false,
        attempt = j.attempt - d.refund::integer,
        refunds = j.refunds + (d.refund AND d.became <> 'held' AND NOT d.unbegun)::integer,
        hold_reason = CASE WHEN d.became = 'held' THEN d.reason END,
        hold_version = d.hold_version
    FROM unnest(decisions) AS d
    WHERE j.id = d.id AND j.id = ANY (back);
    PERFORM tenure.call_lanes(array(
        SELECT d.id FROM unnest(decisions) AS d
        WHERE d.became IN ('available', 'scheduled', 'retryable')));
END $$;

-- Lets the jobs start that waited for a run of their key to let go.
CREATE FUNCTION tenure.release_successors(subjects tenure.subject[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    ids uuid[] := array(
        SELECT j.id FROM unnest(subjects) AS s CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j WHERE j.kind = s.kind AND j.key = s.key
              AND j.generation >= greatest(s.floor, s.committed + 1)
              AND j.state = 'waiting' AND j.waits_for_key OFFSET 0) AS j
        WHERE NOT EXISTS (SELECT FROM tenure.job r WHERE r.kind = s.kind AND r.key = s.key
                            AND r.state = 'running' OFFSET 0));
BEGIN
    IF ids = '{}' THEN
        RETURN;
    END IF;
    UPDATE tenure.job j
    SET waits_for_key = false,
        run_at = greatest(j.run_at, clock_timestamp()),  -- not behind anyone's claim position
        state = CASE WHEN j.waits_for > 0 THEN 'waiting'
                     WHEN j.run_at > clock_timestamp() THEN 'scheduled'
                     ELSE 'available' END::tenure.job_state
    WHERE j.id = ANY (ids);
    PERFORM tenure.call_lanes(ids);
END $$;

-- Lets jobs go that wait though no run of their key is left. No statement leaves one behind; this
-- is the net under all of them, and under a hand on the tables. Looks at so many waiting jobs from
-- `after` on, and says where to go on: null at the end of a round. What is locked just then, or
-- whose key is, is left for another round.
CREATE FUNCTION tenure.sweep_waiting(
    after uuid, at_most integer, OUT onward uuid, OUT released integer)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    seen  uuid[];
    ids   uuid[];
    stale uuid[];
BEGIN
    PERFORM tenure.require_read_committed('a sweep');
    seen := array(
        SELECT j.id FROM tenure.job j
        WHERE j.state = 'waiting'
          AND j.id > coalesce(after, '00000000-0000-0000-0000-000000000000')
        ORDER BY j.id LIMIT at_most);
    onward := CASE WHEN cardinality(seen) = at_most THEN seen[at_most] END;
    ids := array(SELECT s FROM tenure.stranded(seen) AS s);
    released := 0;
    IF ids = '{}' THEN
        RETURN;
    END IF;
    ids := array(
        SELECT l.id FROM unnest(ids) AS i (id) CROSS JOIN LATERAL (
            SELECT j.id, j.kind, j.key FROM tenure.job j WHERE j.id = i.id OFFSET 0) AS o
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.id = o.id AND j.state = 'waiting' AND (EXISTS (
                SELECT FROM tenure.subject_lock s WHERE s.kind = o.kind AND s.key = o.key
                FOR NO KEY UPDATE SKIP LOCKED)
              -- What was put there by hand may have none.
              OR NOT EXISTS (
                SELECT FROM tenure.subject_lock s WHERE s.kind = o.kind AND s.key = o.key))
            FOR UPDATE SKIP LOCKED) AS l);
    -- Under their locks, in a statement of its own: their reason may have come anew.
    ids := array(SELECT s FROM tenure.stranded(ids) AS s);
    PERFORM tenure.require_durable_commit();
    stale := array(
        SELECT j.id FROM unnest(ids) AS i (id) CROSS JOIN LATERAL (
            SELECT j.id, j.kind, j.key, j.generation FROM tenure.job j
            WHERE j.id = i.id OFFSET 0) AS j
        LEFT JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s ON true
        WHERE s.floor > j.generation OR s.committed >= j.generation OR EXISTS (
            SELECT FROM tenure.job n WHERE n.kind = j.kind AND n.key = j.key
              AND n.generation > j.generation AND n.state <> 'running' OFFSET 0));
    PERFORM tenure.move_superseded(stale, array_fill(NULL::uuid, ARRAY[cardinality(stale)]));
    UPDATE tenure.job j
    SET waits_for_key = false, run_at = greatest(j.run_at, clock_timestamp()),
        state = CASE WHEN j.run_at > clock_timestamp() THEN 'scheduled'
                     ELSE 'available' END::tenure.job_state
    WHERE j.id = ANY (ids);
    GET DIAGNOSTICS released = ROW_COUNT;
    PERFORM tenure.call_lanes(ids);
END $$;

-- Those of these jobs that wait, and for nothing.
CREATE FUNCTION tenure.stranded(ids uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT j.id FROM (SELECT i.id FROM unnest(ids) AS i (id) ORDER BY i.id) AS i
    CROSS JOIN LATERAL (
        SELECT j.id, j.kind, j.key FROM tenure.job j
        WHERE j.id = i.id AND j.state = 'waiting' AND j.waits_for = 0 OFFSET 0) AS j
    WHERE NOT EXISTS (
        SELECT FROM tenure.job r WHERE r.kind = j.kind AND r.key = j.key
          AND r.state = 'running' OFFSET 0);
END $$;

-- Ends runs, many at a time, each on its own merits. With `patient` false a job that is locked
-- just then, or whose key is, is left alone and called `busy`.
CREATE FUNCTION tenure.end_runs(endings tenure.ending[], patient boolean)
RETURNS SETOF tenure.ended
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    busy      uuid[];
    locked    tenure.job[];
    decisions tenure.decision[];
    subjects  tenure.subject[];
BEGIN
    PERFORM tenure.require_durable_commit();
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
                SELECT j.id FROM tenure.job j WHERE j.id = e.id AND j.fence = e.fence OFFSET 0) AS j
            WHERE j.id NOT IN (SELECT l.id FROM unnest(locked) AS l));
    END IF;
    IF EXISTS (SELECT FROM unnest(locked) AS l WHERE l.batch_id IS NOT NULL) THEN
        endings := tenure.heed_batches(endings, locked);
    END IF;
    subjects := array(
        SELECT s.subject FROM (
            SELECT DISTINCT l.kind, l.key FROM unnest(locked) AS l WHERE l.key IS NOT NULL) AS w
        CROSS JOIN LATERAL (
            SELECT s AS subject FROM tenure.subject_of(w.kind, w.key) AS s) AS s);
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
    IF EXISTS (SELECT FROM unnest(locked) AS l WHERE l.not_after IS NOT NULL) THEN
        decisions := tenure.heed_expiry(decisions, locked);
    END IF;
    PERFORM tenure.apply_decisions(decisions);
    IF EXISTS (SELECT FROM unnest(endings) AS e WHERE e.lanes IS NOT NULL) THEN
        PERFORM tenure.change_lanes(endings, decisions);
    END IF;
    PERFORM tenure.release_successors(subjects);
    RETURN QUERY
        SELECT e.id, e.fence,
               CASE WHEN e.id = ANY (busy) THEN 'busy' ELSE coalesce(d.became, 'late') END
        FROM unnest(endings) AS e
        LEFT JOIN unnest(decisions) AS d ON d.id = e.id AND d.fence = e.fence;
END $$;

-- `end_runs` for callers with one jsonb array.
CREATE FUNCTION tenure.end_runs(endings jsonb, patient boolean) RETURNS SETOF tenure.ended
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM tenure.check_json('result', e.value -> 'result'), tenure.check_json(
        'payload', e.value #> '{lanes,move,payload}')
    FROM jsonb_array_elements(endings) AS e;
    RETURN QUERY
    SELECT * FROM tenure.end_runs(array(
        SELECT (e.id, e.fence, e.wanted, e.delay, e.result, e.reason, e.error_code,
                e.error_message, e.hold_version, e.lanes)::tenure.ending
        FROM jsonb_to_recordset(endings) AS e (
            id uuid, fence bigint, wanted text, delay interval, result jsonb, reason text,
            error_code text, error_message text, hold_version text, lanes jsonb)), patient);
END $$;
