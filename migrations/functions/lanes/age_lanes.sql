-- Keeps the less urgent jobs of a lane alive: in each lane of the line, of those that are due for
-- longer than `patience` and behind others of a better priority, the few that wait longest get the
-- priority of the lane's head. They stand before its other jobs then, by their run time.
--
-- A lane that waits for its interval is in the line, too: one that is always asked as often as it
-- may is hardly ever seen without it.
-- Why by the few: a lane's pace is what others wait for, too. Returns how many were raised.
-- Locks: jobs, skipping whatever is locked.
CREATE OR REPLACE FUNCTION tenure.age_lanes(patience interval, most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    moment CONSTANT timestamptz := clock_timestamp();
    raised integer;
BEGIN
    IF (patience >= interval '0' AND most > 0) IS NOT TRUE THEN
        RAISE EXCEPTION 'lanes are not aged after %, % at a time', patience, most
            USING ERRCODE = 'TN003', HINT = 'give no negative time, and a number above 0';
    END IF;
    WITH lanes AS MATERIALIZED (
        SELECT DISTINCT h.queue, h.lane FROM tenure.lane_holders h
        CROSS JOIN LATERAL (
            SELECT l.min_interval FROM tenure.lane l
            WHERE l.queue = h.queue AND l.name = h.lane OFFSET 0) AS l
        WHERE h.turn_at <= moment + tenure.lane_pause(l.min_interval)
    ), late AS MATERIALIZED (
        SELECT l.queue, l.lane, head.priority AS best, o.id, o.priority
        FROM lanes l
        CROSS JOIN LATERAL (
            SELECT j.priority FROM tenure.job j
            WHERE j.queue = l.queue AND j.lane = l.lane AND j.lane IS NOT NULL
              AND j.state IN ('scheduled', 'available', 'retryable') AND j.run_at <= moment
            ORDER BY j.priority, j.run_at, j.id LIMIT 1) AS head
        CROSS JOIN LATERAL (
            SELECT w.id, w.priority
            FROM generate_series(head.priority + 1, 9) AS p (priority)
            CROSS JOIN LATERAL (
                SELECT j.id, j.priority, j.run_at FROM tenure.job j
                WHERE j.queue = l.queue AND j.lane = l.lane AND j.lane IS NOT NULL
                  AND j.priority = p.priority
                  AND j.state IN ('scheduled', 'available', 'retryable')
                  AND j.run_at <= moment - patience
                ORDER BY j.run_at, j.id LIMIT most) AS w
            ORDER BY w.run_at, w.id LIMIT most) AS o
    ), locked AS MATERIALIZED (
        SELECT j.ctid AS place, w.best FROM late w
        CROSS JOIN LATERAL (
            SELECT c.ctid FROM tenure.job c
            WHERE c.id = w.id AND c.priority = w.priority AND c.lane = w.lane
              AND c.state IN ('scheduled', 'available', 'retryable')
            FOR NO KEY UPDATE SKIP LOCKED) AS j
    )
    UPDATE tenure.job j SET priority = k.best FROM locked k WHERE j.ctid = k.place;
    GET DIAGNOSTICS raised = ROW_COUNT;
    RETURN raised;
END $$;
