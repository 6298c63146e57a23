-- Ends a lane's holds. Answers whether it was on hold.
CREATE OR REPLACE FUNCTION tenure.release_lane(
    wanted_queue text, wanted_lane text, by_whom text DEFAULT NULL, note jsonb DEFAULT NULL)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    was_held boolean;
BEGIN
    WITH gone AS (
        DELETE FROM tenure.lane_hold o WHERE o.queue = wanted_queue AND o.lane = wanted_lane
        RETURNING o.until
    )
    SELECT coalesce(bool_or(g.until > clock_timestamp()), false) INTO was_held FROM gone g;
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT wanted_queue, wanted_lane, clock_timestamp() WHERE was_held;
    PERFORM tenure.note_action(
        'release', 'lane', jsonb_build_object('queue', wanted_queue, 'name', wanted_lane), NULL,
        by_whom, note)
    WHERE was_held;
    RETURN was_held;
END $$;
