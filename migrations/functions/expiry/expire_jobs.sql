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
    late   tenure.job[];
BEGIN
    late := array(
        SELECT l.job FROM (
            SELECT j.id, j.kind, j.key FROM tenure.job j
            WHERE j.not_after <= moment AND j.state <> 'running' ORDER BY j.not_after) AS o
        CROSS JOIN LATERAL (
            -- Once more, under its lock: a newer enqueue may have given it another time.
            SELECT j AS job FROM tenure.job j
            WHERE j.id = o.id AND j.state <> 'running' AND j.not_after <= moment
              AND (o.key IS NULL OR EXISTS (
                  SELECT FROM tenure.subject_lock s WHERE s.kind = o.kind AND s.key = o.key
                  FOR NO KEY UPDATE SKIP LOCKED))
            FOR UPDATE SKIP LOCKED) AS l
        LIMIT at_most);
    IF late = '{}' THEN
        RETURN;
    END IF;
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.move_pending(
        array(SELECT l.id FROM unnest(late) AS l), 'discarded', NULL,
        whys => array(SELECT tenure.expiry_reason(l.not_after, l.hold_reason)
                      FROM unnest(late) AS l));
    RETURN QUERY SELECT l.id, l.kind, l.queue, l.batch_id FROM unnest(late) AS l;
END $$;
