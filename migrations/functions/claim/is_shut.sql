-- Whether a lane waits for its interval. A time further ahead than that was written before the
-- clock was set back: it holds nothing. A second more, because another claim may have written it
-- since `moment`.
CREATE OR REPLACE FUNCTION tenure.is_shut(
    next_at timestamptz, min_interval interval, moment timestamptz)
RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        next_at > moment AND next_at <= moment + tenure.lane_pause(min_interval) + '1 s', false)
$$;
