-- Jobs some of which are the second or a later one of their key in the call. Where one is there
-- that has expired already, or that a finished one may stand for, those of its key take turns.
CREATE OR REPLACE FUNCTION tenure.enqueue_turns(news tenure.new_job[]) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    alone  tenure.new_job[] := array(
        SELECT w.n FROM (
            SELECT n, bool_or(coalesce(n.not_after <= moment, false) OR n.within IS NOT NULL)
                          OVER (PARTITION BY n.kind, n.key) AS takes_turns
            FROM unnest(news) AS n) AS w
        WHERE w.takes_turns);
    part   tenure.new_job[];
BEGIN
    IF alone <> '{}' THEN
        PERFORM tenure.lock_or_make_subjects(array(SELECT n.kind FROM unnest(news) AS n),
                                             array(SELECT n.key FROM unnest(news) AS n));
        FOR part IN
            SELECT array_agg(n) FROM unnest(alone) AS n GROUP BY n.turn ORDER BY n.turn
        LOOP
            RETURN QUERY SELECT e.* FROM tenure.enqueue_turn(part) AS e;
        END LOOP;
        news := array(SELECT n FROM unnest(news) AS n
                      WHERE n.ordinal NOT IN (SELECT a.ordinal FROM unnest(alone) AS a));
    END IF;
    IF news <> '{}' THEN
        RETURN QUERY SELECT e.* FROM tenure.enqueue_series(news) AS e;
    END IF;
END $$;
