-- The time that a lane waits from one start to the next, within its bounds: a lane with an interval
-- that no clock can bear would hold up its whole queue. In seconds: months and days, of two signs
-- perhaps, are one time where they are compared and another where they are added.
CREATE OR REPLACE FUNCTION tenure.lane_pause(pause interval) RETURNS interval
LANGUAGE sql IMMUTABLE AS $$
    SELECT make_interval(secs => least(31536000, greatest(0, extract(epoch FROM pause)))::float8)
$$;

-- How many starts may be owed: no more than ten years' worth, for the same reason.
CREATE OR REPLACE FUNCTION tenure.lane_burst(pause interval, burst integer) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN (extract(epoch FROM pause) * burst <= 315360000) IS NOT FALSE THEN burst
                ELSE floor(315360000 / least(31536000, extract(epoch FROM pause)))::integer END
$$;
