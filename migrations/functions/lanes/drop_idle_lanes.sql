-- Forgets lanes that rest, that nobody has claimed from for a while, that no unfinished job has and
-- whose limits nobody set. Alone with their rows, so that no job is on its way into them.
CREATE OR REPLACE FUNCTION tenure.drop_idle_lanes(idle interval, at_most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    quiet   tenure.lane[];
    dropped integer;
BEGIN
    -- Of jobs that came since it would know nothing.
    PERFORM tenure.require_read_committed('a sweep');
    quiet := array(
        SELECT l.lane FROM (
            SELECT h.queue, h.lane FROM tenure.lane_holders h
            WHERE h.turn_at = 'infinity' AND h.next_at < clock_timestamp() - idle
            ORDER BY h.queue, h.lane OFFSET 0) AS h
        CROSS JOIN LATERAL (
            SELECT l AS lane FROM tenure.lane l
            WHERE l.queue = h.queue AND l.name = h.lane AND l.set_at IS NULL
            FOR UPDATE SKIP LOCKED) AS l
        LIMIT at_most);
    WITH idlers AS (
        DELETE FROM tenure.lane l USING unnest(quiet) AS q
        WHERE l.queue = q.queue AND l.name = q.name
          AND (SELECT h.turn_at = 'infinity' AND h.next_at < clock_timestamp() - idle
               FROM tenure.lane_holders h WHERE h.queue = q.queue AND h.lane = q.name
               ORDER BY h.n DESC LIMIT 1)
          AND NOT EXISTS (SELECT FROM tenure.job j
                          WHERE j.queue = q.queue AND j.lane = q.name AND j.lane IS NOT NULL
                            AND j.state IN ('waiting', 'held'))
          AND NOT EXISTS (SELECT FROM tenure.job j
                          WHERE j.queue = q.queue AND j.lane = q.name AND j.lane IS NOT NULL
                            AND j.state IN ('scheduled', 'available', 'retryable'))
          AND NOT EXISTS (SELECT FROM tenure.lane_holders h
                          JOIN tenure.job j ON j.id = ANY (h.running_ids) AND j.state = 'running'
                          WHERE h.queue = q.queue AND h.lane = q.name)
        RETURNING l.queue, l.name
    ), holders AS (
        DELETE FROM tenure.lane_holders h USING idlers i WHERE h.queue = i.queue AND h.lane = i.name
    )
    SELECT count(*) INTO dropped FROM idlers;
    DELETE FROM tenure.lane_hold o WHERE o.until < clock_timestamp() - idle;
    RETURN dropped;
END $$;
