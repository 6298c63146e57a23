-- A lane's limits were changed: what it had left of its burst it has still, as far as the new one
-- goes, and nothing that it owed is forgotten. Else a burst that is made smaller and larger again
-- would be had twice. The lane is locked.
CREATE OR REPLACE FUNCTION tenure.keep_room(old tenure.lane) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    now_is tenure.lane;
    last   tenure.lane_holders;
BEGIN
    SELECT * INTO now_is FROM tenure.lane l WHERE l.queue = old.queue AND l.name = old.name;
    IF tenure.lane_pause(old.min_interval) = '0' OR tenure.lane_pause(now_is.min_interval) = '0'
       OR (now_is.min_interval, now_is.burst) = (old.min_interval, old.burst) THEN
        RETURN;
    END IF;
    SELECT * INTO last FROM tenure.lane_holders h
    WHERE h.queue = old.queue AND h.lane = old.name ORDER BY h.n DESC LIMIT 1;
    last.next_at := tenure.same_room(
        last.next_at, old.min_interval, old.burst, now_is.min_interval, now_is.burst);
    last.turn_at := clock_timestamp();
    DELETE FROM tenure.lane_holders h
    WHERE h.queue = old.queue AND h.lane = old.name AND h.n = last.n;
    last.n := last.n + 1;
    INSERT INTO tenure.lane_holders SELECT (last).*;
END $$;

-- Until when starts are paid for under new limits, so that as many may be owed as before.
CREATE OR REPLACE FUNCTION tenure.same_room(
    next_at timestamptz, old_interval interval, old_burst integer, new_interval interval,
    new_burst integer) RETURNS timestamptz
LANGUAGE plpgsql AS $$
DECLARE
    moment CONSTANT timestamptz := clock_timestamp();
    size   CONSTANT integer := tenure.lane_burst(new_interval, new_burst);
    room   CONSTANT integer := least(size, greatest(0, tenure.lane_room(
        next_at, old_interval, old_burst, moment)));
BEGIN
    RETURN CASE WHEN tenure.lane_pause(old_interval) = '0' OR tenure.lane_pause(new_interval) = '0'
                THEN next_at
                ELSE moment + tenure.lane_pause(new_interval) * (size - room) END;
END $$;
