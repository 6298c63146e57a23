-- Makes a lane slower, up to the longest interval, where no operator has set its limits.
CREATE OR REPLACE FUNCTION tenure.slow_lane(wanted_queue text, wanted_lane text, pause interval)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    old tenure.lane;
BEGIN
    SELECT * INTO old FROM tenure.lane l
    WHERE l.queue = wanted_queue AND l.name = wanted_lane AND l.set_at IS NULL
      AND l.min_interval < tenure.lane_pause(pause)
    FOR NO KEY UPDATE;
    IF FOUND THEN
        UPDATE tenure.lane l SET min_interval = tenure.lane_pause(pause), burst = 1
        WHERE l.queue = wanted_queue AND l.name = wanted_lane;
        PERFORM tenure.keep_room(old);
    END IF;
END $$;
