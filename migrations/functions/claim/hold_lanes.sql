-- Writes down who holds lanes now, and sends them to the end of the line: behind all that wait, or
-- to where their interval ends. They are locked.
CREATE OR REPLACE FUNCTION tenure.hold_lanes(wanted_queue text, taken tenure.claimed_job[])
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH was AS MATERIALIZED (
        SELECT t.lane, t.ids, t.fences, h.ctid AS place, h.n, h.running_ids, h.running_fences
        FROM (SELECT t.lane, array_agg(t.id) AS ids, array_agg(t.fence) AS fences
              FROM unnest(taken) AS t GROUP BY t.lane) AS t
        LEFT JOIN LATERAL (
            SELECT h.ctid, h.* FROM tenure.lane_holders h
            WHERE h.queue = wanted_queue AND h.lane = t.lane
            ORDER BY h.n DESC LIMIT 1) AS h ON true
    ), gone AS (
        -- By its place: a join could be turned round, and read all of the queue's dead rows.
        DELETE FROM tenure.lane_holders h WHERE h.ctid = ANY (array(SELECT w.place FROM was w))
    )
    INSERT INTO tenure.lane_holders (
        queue, lane, n, next_at, turn_at, past_priority, past_run_at, past_id, running_ids,
        running_fences)
    SELECT wanted_queue, w.lane, coalesce(w.n, 0) + 1,
           now.at + tenure.lane_pause(l.min_interval),
           now.at + tenure.lane_pause(l.min_interval), last.priority, last.run_at, last.id,
           left_over.running_ids || w.ids, left_over.running_fences || w.fences
    FROM was w JOIN tenure.lane l ON l.queue = wanted_queue AND l.name = w.lane
    CROSS JOIN LATERAL (SELECT clock_timestamp() OFFSET 0) AS now (at)
    -- A sweep from the head sets the place back to what it has found there, which is seldom alone:
    -- of a lane that starts one job at a time, the next claims go on behind it.
    CROSS JOIN LATERAL (
        SELECT t.priority, t.run_at, t.id FROM unnest(taken) AS t WHERE t.lane = w.lane
        ORDER BY t.priority DESC, t.run_at DESC, t.id DESC LIMIT 1) AS last
    CROSS JOIN LATERAL tenure.still_running(w.running_ids, w.running_fences) AS left_over;
END $$;
