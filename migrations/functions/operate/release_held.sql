-- Lets jobs run again that other releases could not, where the caller's reads them: `release` is
-- its name, `versions` the newest payload version that it reads of each kind (null: all). Returns
-- how many, and the queues that have something to claim now: they are to be told, afterwards. Who
-- has held a job stays on it: claims of those releases pass it over.
CREATE OR REPLACE FUNCTION tenure.release_held(
    wanted_kinds text[], release text, versions smallint[] DEFAULT NULL,
    OUT released integer, OUT queues text[])
LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[];
BEGIN
    WITH stuck AS MATERIALIZED (
        SELECT j.id FROM tenure.job j
        WHERE j.state = 'held' AND j.kind = ANY (wanted_kinds)
          AND release <> ALL (coalesce(j.hold_versions, '{}'))
          AND tenure.can_read(j.payload_version, j.kind, wanted_kinds, versions)
        ORDER BY j.id FOR UPDATE SKIP LOCKED
    ), freed AS (
        UPDATE tenure.job j
        SET state = 'available', run_at = clock_timestamp(), calendar = false, hold_reason = NULL
        FROM stuck WHERE j.id = stuck.id
        RETURNING j.id, j.queue
    )
    SELECT array_agg(f.id), count(*), coalesce(array_agg(DISTINCT f.queue), '{}')
    INTO ids, released, queues FROM freed f;
    PERFORM tenure.call_lanes(ids) WHERE ids IS NOT NULL;
END $$;
