-- Lets those of these waiting jobs go that have no job left to wait for; returns them. They are
-- locked, and looked at in a statement after that: who ended meanwhile is seen. One that waited for
-- a job that was not completed stays: it is cancelled by whoever settles that end.
CREATE OR REPLACE FUNCTION tenure.let_go(
    waiting uuid[], OUT ids uuid[], OUT queues text[], OUT batches uuid[])
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    free uuid[] := tenure.without_open(waiting);
BEGIN
    free := tenure.without_failed(free);
    SELECT r.* INTO ids, queues, batches FROM tenure.release_waiters(free, array(
        SELECT j.place FROM unnest(free) AS f (id) CROSS JOIN LATERAL (
            SELECT j.ctid AS place FROM tenure.job j WHERE j.id = f.id OFFSET 0) AS j)) AS r;
END $$;

-- Lets waiting jobs go that lie at these places; returns them, with their queues and batches. What
-- was moved from there, or is locked, is left.
CREATE OR REPLACE FUNCTION tenure.release_waiters(
    waiting uuid[], places tid[], OUT ids uuid[], OUT queues text[], OUT batches uuid[])
LANGUAGE plpgsql AS $$
DECLARE
    laned uuid[];
BEGIN
    ids := '{}';
    IF waiting = '{}' THEN
        RETURN;
    END IF;
    WITH gone AS (
        UPDATE tenure.job j
        SET waits_for_jobs = false,
            run_at = greatest(j.run_at, clock_timestamp()),  -- not behind anyone's claim position
            state = CASE WHEN j.waits_for_key THEN 'waiting'
                         WHEN j.run_at > clock_timestamp() THEN 'scheduled'
                         ELSE 'available' END::tenure.job_state
        WHERE j.ctid = ANY (array(
            SELECT w.ctid FROM tenure.job w
            WHERE w.ctid = ANY (places)
              AND (w.id IN (SELECT i.id FROM unnest(waiting) AS i (id))) IS TRUE
              AND w.state = 'waiting' AND w.waits_for_jobs
            FOR NO KEY UPDATE SKIP LOCKED))
        RETURNING j.id, j.queue, j.batch_id, j.lane
    )
    SELECT coalesce(array_agg(g.id), '{}'), array_agg(g.queue), array_agg(g.batch_id),
           array_agg(g.id) FILTER (WHERE g.lane IS NOT NULL)
    INTO ids, queues, batches, laned FROM gone g;
    IF laned IS NOT NULL THEN
        PERFORM tenure.call_lanes(laned);
    END IF;
END $$;

-- Those of these jobs that have no job left to wait for, as the caller's statement sees it. From
-- the newest: jobs end in the order of their making, by and large, so that the first look tells,
-- and ten thousand that have ended before are not walked over for each that does; nor where they
-- end the other way round.
CREATE OR REPLACE FUNCTION tenure.without_open(ids uuid[]) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off AS $$
BEGIN
    RETURN array(
        SELECT i.id FROM unnest(ids) AS i (id)
        WHERE NOT EXISTS (
            SELECT FROM (SELECT a.needs, a.made FROM tenure.job_after a
                         WHERE a.job_id = i.id ORDER BY a.needs LIMIT 1) AS a
            WHERE NOT EXISTS (SELECT FROM tenure.job_end e
                              WHERE e.id = a.needs AND e.made = a.made OFFSET 0) LIMIT 1)
          AND NOT EXISTS (
            SELECT FROM (SELECT a.needs, a.made FROM tenure.job_after a
                         WHERE a.job_id = i.id ORDER BY a.needs DESC OFFSET 0) AS a
            WHERE NOT EXISTS (SELECT FROM tenure.job_end e
                              WHERE e.id = a.needs AND e.made = a.made OFFSET 0) LIMIT 1));
END $$;

-- Those of these jobs that waited for none that was not completed, or go on all the same.
CREATE OR REPLACE FUNCTION tenure.without_failed(ids uuid[]) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
BEGIN
    RETURN array(
        SELECT i.id FROM unnest(ids) AS i (id)
        WHERE NOT EXISTS (
            SELECT FROM (SELECT a.needs, a.made FROM tenure.job_after a
                         WHERE a.job_id = i.id AND NOT a.goes_on OFFSET 0) AS a
            WHERE EXISTS (SELECT FROM tenure.job_end e
                          WHERE e.id = a.needs AND e.made = a.made
                            AND e.outcome <> 'completed' OFFSET 0) LIMIT 1));
END $$;

-- Whether a job waited for one that was not completed, and does not go on all the same.
CREATE OR REPLACE FUNCTION tenure.has_failed(job uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT tenure.without_failed(ARRAY[job]) = '{}'
$$;
