-- What operators, handlers and the coordinator do with lanes: limits, holds, and forgetting them.
-- Locks: the lane alone; `change_lanes` has its jobs locked.

-- Sets a lane's limits, for good: enqueues leave them as they are, and the lane is kept. Exact from
-- the commit on: a claim of the lane that is under way is waited for. An interval that comes
-- without a burst is kept between any two starts.
CREATE OR REPLACE FUNCTION tenure.set_lane(
    wanted_queue text, wanted_lane text, most integer, pause interval, by_whom text,
    note jsonb DEFAULT NULL, at_once integer DEFAULT NULL, new_weight integer DEFAULT NULL,
    in_order boolean DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    old    tenure.lane;
    is_new boolean;
BEGIN
    PERFORM tenure.check_name('queue', wanted_queue, 128), tenure.check_name('lane', wanted_lane);
    PERFORM tenure.check_rate('lane', wanted_lane, pause, at_once);
    IF new_weight NOT BETWEEN 1 AND 100 THEN
        RAISE EXCEPTION 'the weight of lane "%" is %', wanted_lane, new_weight
            USING ERRCODE = 'TN003', HINT = 'give 1 to 100';
    END IF;
    SELECT * INTO old FROM tenure.lane l
    WHERE l.queue = wanted_queue AND l.name = wanted_lane FOR NO KEY UPDATE;
    at_once := coalesce(at_once, CASE WHEN pause IS NOT NULL THEN 1 END);
    INSERT INTO tenure.lane AS l (
        queue, name, max_running, min_interval, set_at, set_by, burst, weight, is_strict)
    VALUES (wanted_queue, wanted_lane, coalesce(most, 1), coalesce(pause, '0'), clock_timestamp(),
            by_whom, coalesce(at_once, 1), coalesce(new_weight, 1), coalesce(in_order, false))
    ON CONFLICT (queue, name) DO UPDATE
    SET max_running = coalesce(most, l.max_running), min_interval = coalesce(pause, l.min_interval),
        burst = coalesce(at_once, l.burst), weight = coalesce(new_weight, l.weight),
        is_strict = coalesce(in_order, l.is_strict), set_at = EXCLUDED.set_at,
        set_by = EXCLUDED.set_by
    RETURNING l.xmax = 0 INTO is_new;
    INSERT INTO tenure.lane_holders (queue, lane, n, turn_at)
    SELECT wanted_queue, wanted_lane, 0, clock_timestamp() WHERE is_new;
    PERFORM tenure.keep_room(old) WHERE old.queue IS NOT NULL;
    INSERT INTO tenure.lane_call (queue, lane, at)
    VALUES (wanted_queue, wanted_lane, clock_timestamp());
    PERFORM tenure.note_action(
        'set', 'lane', jsonb_strip_nulls(jsonb_build_object(
            'queue', wanted_queue, 'name', wanted_lane, 'maxRunning', most,
            'minIntervalSeconds', extract(epoch FROM pause), 'burst', at_once,
            'weight', new_weight, 'strict', in_order)), NULL, by_whom, note);
END $$;
