-- Whether a lane waits for its interval, or for its rate. A time further ahead than what its burst
-- can owe was written before the clock was set back: it holds nothing. A second more, because
-- another claim may have written it since `moment`.
CREATE OR REPLACE FUNCTION tenure.is_shut(
    next_at timestamptz, min_interval interval, burst integer, moment timestamptz)
RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        next_at > moment + tenure.lane_pause(min_interval)
                         * (tenure.lane_burst(min_interval, burst) - 1)
        AND next_at <= moment + tenure.lane_pause(min_interval)
                                * tenure.lane_burst(min_interval, burst) + '1 s', false)
$$;

-- How many jobs of a lane with an interval may start at `moment`. Of a time that was written before
-- the clock was set back nothing is owed but all of the burst, less one.
CREATE OR REPLACE FUNCTION tenure.lane_room(
    next_at timestamptz, min_interval interval, burst integer, moment timestamptz)
RETURNS integer
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN next_at <= moment OR tenure.lane_pause(min_interval) = '0'
        THEN tenure.lane_burst(min_interval, burst)
        WHEN next_at > moment + tenure.lane_pause(min_interval)
                              * tenure.lane_burst(min_interval, burst) THEN 1
        ELSE tenure.lane_burst(min_interval, burst) - ceil(extract(epoch FROM next_at - moment)
                          / extract(epoch FROM tenure.lane_pause(min_interval)))::integer END
$$;

-- Until when starts are paid for, once `started` more are made at `moment`.
CREATE OR REPLACE FUNCTION tenure.lane_paid(
    next_at timestamptz, min_interval interval, burst integer, started integer,
    moment timestamptz)
RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN next_at <= moment THEN moment
        WHEN next_at > moment + tenure.lane_pause(min_interval)
                              * tenure.lane_burst(min_interval, burst)
        THEN moment + tenure.lane_pause(min_interval) * (tenure.lane_burst(min_interval, burst) - 1)
        ELSE next_at END + tenure.lane_pause(min_interval) * started
$$;
