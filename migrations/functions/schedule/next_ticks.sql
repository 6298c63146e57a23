-- The next ticks of an interval or a cron expression.
CREATE OR REPLACE FUNCTION tenure.next_ticks(
    every interval, cron text, zone text, after timestamptz, most integer)
RETURNS SETOF timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
    FOR i IN 1 .. most LOOP
        after := CASE WHEN cron IS NULL THEN after + every
                      ELSE tenure.cron_next(cron, zone, after) END;
        RETURN NEXT after;
    END LOOP;
END $$;
