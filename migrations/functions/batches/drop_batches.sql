-- Forgets batches that ended so long ago, and those that nobody started and that have no jobs.
-- Alone with their rows, and looked at again in a statement of its own: a job may just have come
-- in.
CREATE OR REPLACE FUNCTION tenure.drop_batches(idle interval, at_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    quiet   uuid[];
    dropped integer;
BEGIN
    PERFORM tenure.require_read_committed('a sweep');
    quiet := array(
        SELECT o.id FROM tenure.batch o
        WHERE o.created_at < clock_timestamp() - idle
          AND (o.ended_at < clock_timestamp() - idle OR NOT o.is_whole AND o.ending_at IS NULL)
          AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.batch_id = o.id)
        LIMIT at_most FOR UPDATE SKIP LOCKED);
    DELETE FROM tenure.batch r
    WHERE r.id = ANY (quiet) AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.batch_id = r.id);
    GET DIAGNOSTICS dropped = ROW_COUNT;
    RETURN dropped;
END $$;
