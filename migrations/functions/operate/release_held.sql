-- Lets jobs run again that an older release could not: `release` is the caller's. Returns how many,
-- and the queues that have something to claim now: they are to be told, afterwards.
CREATE OR REPLACE FUNCTION tenure.release_held(
    wanted_kinds text[], release text, OUT released integer, OUT queues text[])
LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[];
BEGIN
    WITH stuck AS MATERIALIZED (
        SELECT j.id FROM tenure.job j
        WHERE j.state = 'held' AND j.kind = ANY (wanted_kinds)
          AND j.hold_version IS DISTINCT FROM release
        ORDER BY j.id FOR UPDATE SKIP LOCKED
    ), freed AS (
        UPDATE tenure.job j
        SET state = 'available', run_at = clock_timestamp(), calendar = false, hold_reason = NULL,
            hold_version = NULL
        FROM stuck WHERE j.id = stuck.id
        RETURNING j.id, j.queue
    )
    SELECT array_agg(f.id), count(*), coalesce(array_agg(DISTINCT f.queue), '{}')
    INTO ids, released, queues FROM freed f;
    PERFORM tenure.call_lanes(ids) WHERE ids IS NOT NULL;
END $$;
