-- Refuses an interval between starts, and how many may start at once after a quiet time, that
-- nobody could keep; what is null is not given. `thing` is what has them: a lane or a queue.
CREATE OR REPLACE FUNCTION tenure.check_rate(
    thing text, name text, pause interval, at_once integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF pause <> tenure.lane_pause(pause) THEN
        RAISE EXCEPTION 'the interval of % "%" is %', thing, name, pause
            USING ERRCODE = 'TN003', HINT = 'give 0 to 365 days';
    END IF;
    IF at_once NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'the burst of % "%" is %', thing, name, at_once
            USING ERRCODE = 'TN003', HINT = 'give 1 to 10000';
    END IF;
    IF tenure.lane_burst(pause, at_once) < at_once THEN
        RAISE EXCEPTION 'a burst of % at one start in % is more than ten years', at_once, pause
            USING ERRCODE = 'TN003', HINT = 'give a smaller burst, or a shorter interval';
    END IF;
END $$;
