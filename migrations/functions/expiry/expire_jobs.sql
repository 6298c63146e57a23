-- Expiry: a job with `not_after` that has not begun by then is over.
--
-- Why: some work is worth nothing when it is late, and whoever waits for it should be told. It ends
-- as `discarded`, with a reason that begins with `expired:` (docs/decisions/expiry.md).
--   * Claims leave such jobs alone, at the price of one look at a column.
--   * A run's end that would put its job back looks whether there is time for another run.
--   * What nobody claims is swept, by its own index.
-- A run that has begun goes on. The time is the database's, and stays where it is when that clock
-- is set back.
-- Locks: as everywhere, a keyed job's subject before the job. The sweep waits for nobody.

-- Discards jobs that did not begin in time, at most so many; returns them. What is locked just
-- then, or whose key is, is left for another round and takes no place in this one. The batches they
-- belonged to may be over: settle those afterwards, apart, because batches come first in the order
-- of locks.
CREATE OR REPLACE FUNCTION tenure.expire_jobs(at_most integer)
RETURNS TABLE (id uuid, kind text, queue text, batch_id uuid)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    moment timestamptz := clock_timestamp();
    ids    uuid[];
BEGIN
    ids := array(
        SELECT l.id FROM (
            SELECT j.id, j.kind, j.key FROM tenure.job j
            WHERE j.not_after <= moment AND j.state <> 'running' ORDER BY j.not_after) AS o
        CROSS JOIN LATERAL (
            -- Once more, under its lock: a newer enqueue may have given it another time.
            SELECT j.id FROM tenure.job j
            WHERE j.id = o.id AND j.state <> 'running' AND j.not_after <= moment
              AND (o.key IS NULL OR EXISTS (
                  SELECT FROM tenure.subject_lock s WHERE s.kind = o.kind AND s.key = o.key
                  FOR NO KEY UPDATE SKIP LOCKED))
            FOR UPDATE SKIP LOCKED) AS l
        LIMIT at_most);
    IF ids = '{}' THEN
        RETURN;
    END IF;
    PERFORM tenure.require_durable_commit();
    RETURN QUERY
    WITH gone AS (
        DELETE FROM tenure.job j WHERE j.id = ANY (ids) RETURNING j.*
    ), ended AS (
        INSERT INTO tenure.job_history (
            id, batch_id, parent_id, retry_of, generation, run_at, created_at, outcome, attempt,
            max_attempts, runs, payload_version, priority, kind, queue, key, lane, payload, reason,
            trace)
        SELECT g.id, g.batch_id, g.parent_id, g.retry_of, g.generation, g.run_at, g.created_at,
               'discarded', g.attempt, g.max_attempts, g.runs, g.payload_version, g.priority,
               g.kind, g.queue, g.key, g.lane, g.payload,
               tenure.expiry_reason(g.not_after, g.hold_reason), g.trace
        FROM gone g
    )
    SELECT g.id, g.kind, g.queue, g.batch_id FROM gone g;
END $$;
