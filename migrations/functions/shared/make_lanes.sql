-- Makes the lanes that are missing, and calls those whose turn would come later than these jobs.
-- Whoever sends a lane to rest has its row alone; here it is shared until COMMIT, so that no lane
-- goes to rest, or is dropped, between the look at its turn and the moment the jobs can be seen.
CREATE OR REPLACE FUNCTION tenure.make_lanes(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    lanes CONSTANT bigint := (SELECT count(DISTINCT (n.queue, n.lane)) FROM unnest(news) AS n
                              WHERE n.lane IS NOT NULL);
    shared bigint;
BEGIN
    LOOP
        WITH made AS (
            INSERT INTO tenure.lane (
                queue, name, max_running, min_interval, burst, weight, is_strict)
            SELECT DISTINCT ON (n.queue, n.lane) n.queue, n.lane, coalesce(n.lane_max_running, 1),
                   coalesce(n.lane_min_interval, '0'), coalesce(n.lane_burst, 1),
                   coalesce(n.lane_weight, 1), coalesce(n.lane_strict, false)
            FROM unnest(news) AS n
            WHERE n.lane IS NOT NULL AND NOT EXISTS (
                SELECT FROM tenure.lane l WHERE l.queue = n.queue AND l.name = n.lane)
            ORDER BY n.queue, n.lane
            ON CONFLICT DO NOTHING
            RETURNING queue, name
        )
        INSERT INTO tenure.lane_holders (queue, lane, n, turn_at)
        SELECT m.queue, m.name, 0, clock_timestamp() FROM made m;
        PERFORM FROM (
            SELECT DISTINCT n.queue, n.lane FROM unnest(news) AS n
            WHERE n.lane IS NOT NULL ORDER BY 1, 2) AS w
        CROSS JOIN LATERAL (
            SELECT FROM tenure.lane l WHERE l.queue = w.queue AND l.name = w.lane
            FOR KEY SHARE) AS l;
        GET DIAGNOSTICS shared = ROW_COUNT;
        EXIT WHEN shared = lanes;  -- one was dropped meanwhile
    END LOOP;
    -- A statement of its own: it sees what committed before the lanes were had.
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT w.queue, w.lane, w.first_at FROM (
        SELECT n.queue, n.lane, min(n.run_at) AS first_at FROM unnest(news) AS n
        WHERE n.lane IS NOT NULL GROUP BY n.queue, n.lane) AS w
    CROSS JOIN LATERAL (
        SELECT h.turn_at, CASE WHEN tenure.is_shut(
                   h.next_at, l.min_interval, l.burst, clock_timestamp())
               THEN h.next_at - tenure.lane_pause(l.min_interval)
                              * (tenure.lane_burst(l.min_interval, l.burst) - 1)
               END AS next_at
        FROM tenure.lane_holders h JOIN tenure.lane l ON l.queue = h.queue AND l.name = h.lane
        WHERE h.queue = w.queue AND h.lane = w.lane ORDER BY h.n DESC LIMIT 1) AS s
    WHERE s.turn_at > greatest(w.first_at, clock_timestamp(), s.next_at, (
        SELECT max(o.until) FROM tenure.lane_hold o WHERE o.queue = w.queue AND o.lane = w.lane))
       -- A transaction that keeps its snapshot sees an old turn.
       OR current_setting('transaction_isolation') <> 'read committed';
END $$;

-- Calls the lanes of jobs that were made pending otherwise. No lock is needed: it asks nothing.
CREATE OR REPLACE FUNCTION tenure.call_lanes(ids uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT j.queue, j.lane, min(j.run_at) FROM unnest(ids) AS i (id)
    CROSS JOIN LATERAL (
        SELECT j.queue, j.lane, j.run_at FROM tenure.job j WHERE j.id = i.id OFFSET 0) AS j
    WHERE j.lane IS NOT NULL GROUP BY j.queue, j.lane;
END $$;
