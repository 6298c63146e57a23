-- Gives lanes another turn; all else of them stays. They are locked.
CREATE OR REPLACE FUNCTION tenure.move_lanes(wanted_queue text, names text[], turns timestamptz[])
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH was AS MATERIALIZED (
        SELECT h.*, t.turn, h.ctid AS place FROM unnest(names, turns) AS t (lane, turn)
        CROSS JOIN LATERAL (
            SELECT h.ctid, h.* FROM tenure.lane_holders h
            WHERE h.queue = wanted_queue AND h.lane = t.lane
            ORDER BY h.n DESC LIMIT 1) AS h
    ), gone AS (
        DELETE FROM tenure.lane_holders h WHERE h.ctid = ANY (array(SELECT w.place FROM was w))
    )
    INSERT INTO tenure.lane_holders (
        queue, lane, n, next_at, turn_at, past_priority, past_run_at, past_id, running_ids,
        last_fence)
    SELECT w.queue, w.lane, w.n + 1, w.next_at, w.turn, w.past_priority, w.past_run_at, w.past_id,
           w.running_ids, w.last_fence
    FROM was w;
END $$;
