-- Jobs of a call that are to run at once stand in the order of the call where their lane is in
-- strict order. Elsewhere a run time is read from the clock as each is made, and those that share a
-- microsecond stand by their ids.
CREATE OR REPLACE FUNCTION tenure.stand_in_order(news tenure.new_job[]) RETURNS tenure.new_job[]
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM unnest(news) AS n
        WHERE n.lane_strict OR EXISTS (
            SELECT FROM tenure.lane l
            WHERE l.queue = n.queue AND l.name = n.lane AND l.is_strict)) THEN
        RETURN news;
    END IF;
    RETURN array(
        SELECT CASE WHEN o.first_at IS NULL THEN o.n
                    ELSE jsonb_populate_record(o.n, jsonb_build_object(
                        'run_at', o.first_at + o.place * interval '1 us')) END
        FROM (
            -- What this call has read from the clock, and no date of the caller's.
            SELECT w.n, row_number() OVER line - 1 AS place,
                   CASE WHEN w.is_now THEN first_value((w.n).run_at) OVER (
                       PARTITION BY (w.n).queue, (w.n).lane, w.is_now ORDER BY (w.n).run_at)
                       END AS first_at
            FROM (SELECT n, n.lane IS NOT NULL AND NOT n.calendar
                            AND n.run_at BETWEEN statement_timestamp() AND clock_timestamp()
                            AS is_now
                  FROM unnest(news) AS n) AS w
            WINDOW line AS (PARTITION BY (w.n).queue, (w.n).lane, w.is_now
                            ORDER BY (w.n).ordinal)) AS o
        ORDER BY (o.n).ordinal);
END $$;
