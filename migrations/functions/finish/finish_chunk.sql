-- The last statement of a chunk's commit: ends many runs in the transaction that holds the writes
-- of them all, with their follow-up jobs; all of them or none. The arrays belong together, place by
-- place. Returns what became of each. Raises TN001 when some are late: its DETAIL is a JSON object
-- that says of these jobs, and of no other, what became of them. Roll back, and come without them.
CREATE OR REPLACE FUNCTION tenure.finish_chunk(
    jobs uuid[], fences bigint[], outcomes text[], results jsonb[] DEFAULT NULL,
    reasons text[] DEFAULT NULL, delays interval[] DEFAULT NULL, also jsonb[] DEFAULT NULL,
    follow_ups jsonb DEFAULT NULL)
RETURNS SETOF tenure.ended
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    endings   tenure.ending[];
    overtaken uuid[];
    outdated  uuid[];
    ended     tenure.ended[];
    late      jsonb;
    taken     tenure.enqueued[];
BEGIN
    endings := array(
        SELECT (w.job, w.fence, w.outcome, w.delay, w.result, w.reason, NULL, NULL, NULL,
                w.also)::tenure.ending
        FROM unnest(jobs, fences, outcomes, delays, results, reasons, also)
            AS w (job, fence, outcome, delay, result, reason, also));
    PERFORM tenure.check_endings(endings);
    IF tenure.keeps_snapshot() THEN
        PERFORM tenure.require_current_batches_of(jobs);
    END IF;
    IF follow_ups IS NOT NULL THEN
        PERFORM tenure.check_fields(follow_ups);
        PERFORM tenure.enter_other_batches(follow_ups, jobs);
        taken := tenure.take_follow_ups(follow_ups);
    END IF;
    PERFORM tenure.lock_subjects(jobs, follow_ups, true);
    -- Under their locks: a job that merely gives way to a coalesced successor is not late.
    outdated := array(
        SELECT j.id FROM unnest(jobs) AS w (id)
        CROSS JOIN LATERAL (
            SELECT j.id, j.kind, j.key, j.generation FROM tenure.job j
            WHERE j.id = w.id OFFSET 0) AS j
        CROSS JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s
        WHERE s.floor > j.generation OR s.committed >= j.generation);
    -- Of two runs of a key that complete together only the newer counts: who wrote last can't be
    -- seen here.
    overtaken := array(
        SELECT j.id FROM unnest(endings) AS w
        JOIN tenure.job j ON j.id = w.id
        JOIN tenure.job n ON n.kind = j.kind AND n.key = j.key AND n.generation > j.generation
        JOIN unnest(endings) AS v ON v.id = n.id AND v.wanted = 'completed');
    ended := array(SELECT e FROM tenure.end_runs(endings, true) AS e);
    late := (SELECT jsonb_object_agg(
                 e.id, CASE WHEN e.id = ANY (overtaken) THEN 'superseded' ELSE e.became END)
             FROM unnest(ended) AS e JOIN unnest(endings) AS w ON w.id = e.id
             WHERE e.became = 'late' OR e.became = 'cancelled' AND w.wanted <> 'cancelled'
                OR e.became = 'superseded' AND w.wanted <> 'superseded'
                   AND e.id = ANY (outdated)
                OR w.wanted = 'completed' AND e.id = ANY (overtaken));
    IF late IS NOT NULL THEN
        RAISE EXCEPTION 'late results: of % jobs', (SELECT count(*) FROM jsonb_object_keys(late))
            USING ERRCODE = 'TN001', DETAIL = late::text,
            HINT = 'roll back; other runs of these jobs, or newer ones, have their places';
    END IF;
    IF follow_ups IS NOT NULL THEN
        PERFORM FROM tenure.enqueue_new(tenure.read_jobs(follow_ups), true, taken);
    END IF;
    RETURN QUERY SELECT e.* FROM unnest(ended) AS e;
END $$;

-- Refuses what a chunk's commit can't end runs with.
CREATE OR REPLACE FUNCTION tenure.check_endings(endings tenure.ending[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    problem text := (
        SELECT p.problem FROM (
            SELECT e.*, count(*) OVER (PARTITION BY e.id) AS times FROM unnest(endings) AS e) AS e
        CROSS JOIN LATERAL (SELECT CASE
            WHEN e.id IS NULL OR e.fence IS NULL THEN 'a job or its fence is missing'
            WHEN e.times > 1 THEN format('job %s is there twice', e.id)
            WHEN e.wanted IN ('completed', 'failed', 'snoozed', 'discarded', 'cancelled',
                              'superseded', 'handed_back', 'held') IS NOT TRUE
                THEN format('outcome "%s" of job %s is unknown', e.wanted, e.id)
            WHEN e.delay > '3650 days'
                THEN format('delay of job %s is %s, at most 3650 days', e.id, e.delay)
            END) AS p (problem)
        WHERE p.problem IS NOT NULL LIMIT 1);
BEGIN
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION '%', problem USING ERRCODE = 'TN003';
    END IF;
    PERFORM tenure.check_json('result', e.result),
            tenure.check_also(e.also)
    FROM unnest(endings) AS e WHERE e.result IS NOT NULL OR e.also IS NOT NULL;
END $$;
