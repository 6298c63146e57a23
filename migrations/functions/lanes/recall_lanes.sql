-- Calls lanes that have due jobs and whose turn is further ahead than any rule says. No statement
-- leaves one behind; a clock that was set back while nobody lived, or a hand on the tables, may.
CREATE OR REPLACE FUNCTION tenure.recall_lanes() RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    called integer;
BEGIN
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT h.queue, h.lane, moment FROM tenure.lane_holders h
    JOIN tenure.lane l ON l.queue = h.queue AND l.name = h.lane
    -- One in strict order may rest for a second while who has begun waits for his time.
    WHERE h.turn_at > moment + CASE WHEN l.is_strict THEN interval '1 s' ELSE '0' END
      AND NOT tenure.is_shut(
          h.next_at, l.min_interval, l.burst, moment)
      AND NOT EXISTS (SELECT FROM tenure.lane_hold o
                      WHERE o.queue = h.queue AND o.lane = h.lane AND o.until > moment)
      AND NOT EXISTS (SELECT FROM tenure.lane_call c
                      WHERE c.queue = h.queue AND c.lane = h.lane AND c.at <= moment)
      AND EXISTS (SELECT FROM tenure.job j
                  WHERE j.queue = h.queue AND j.lane = h.lane AND j.lane IS NOT NULL
                    AND j.run_at <= moment AND j.state IN ('scheduled', 'available', 'retryable'));
    GET DIAGNOSTICS called = ROW_COUNT;
    DELETE FROM tenure.lane_call c
    WHERE c.at < moment - interval '1 hour' AND NOT EXISTS (
        SELECT FROM tenure.lane l WHERE l.queue = c.queue AND l.name = c.lane);
    RETURN called;
END $$;
