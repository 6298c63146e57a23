-- No job of the lane starts for a while. It waits for nobody: in any transaction, at any place.
CREATE OR REPLACE FUNCTION tenure.hold_lane(
    wanted_queue text, wanted_lane text, pause interval, why text, by_whom text) RETURNS void
LANGUAGE sql AS $$
    SELECT tenure.check_name('queue', wanted_queue, 128), tenure.check_name('lane', wanted_lane);

    INSERT INTO tenure.lane_hold (queue, lane, until, reason, held_by)
    VALUES (wanted_queue, wanted_lane, tenure.moment_after(pause), why, by_whom)
$$;
