-- The time that a lane waits from one start to the next, within its bounds: a lane with an interval
-- that no clock can bear would hold up its whole queue.
CREATE OR REPLACE FUNCTION tenure.lane_pause(pause interval) RETURNS interval
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN pause > '365 days' THEN '365 days' WHEN pause < '0' THEN '0' ELSE pause END
$$;
