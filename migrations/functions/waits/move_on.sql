-- Notes how far ends were looked at. Those that one is not sure of are not waited for: whether
-- there is one that waits still, and is to be looked at in a second. Of those that are refused it
-- is a minute, where nobody else waits still; and others' ends come first. `is_full`: of the last
-- end that was come to there may be more.
CREATE OR REPLACE FUNCTION tenure.move_on(
    ends tenure.job_end[], waiters tenure.waiter[], unsure uuid[], is_full boolean,
    refused uuid[] DEFAULT '{}')
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    stuck CONSTANT uuid[] := array(
        SELECT f.id FROM unnest(unsure) AS f (id)
        CROSS JOIN LATERAL (
            SELECT FROM tenure.job j
            WHERE j.id = f.id AND j.state = 'waiting' AND j.waits_for_jobs OFFSET 0) AS j);
    past  CONSTANT bigint := CASE WHEN is_full THEN (
        SELECT max(f.place) FROM unnest(waiters) AS f) END;
    pause CONSTANT interval := CASE WHEN refused = '{}' OR stuck <> '{}' THEN '1 s'
                                    ELSE '1 min' END;
    again boolean;
BEGIN
    WITH moved AS (
        UPDATE tenure.job_end e
        SET settled_to = u.reached, was_busy = u.reached IS NOT NULL AND (e.was_busy OR u.is_busy),
            is_settled = u.reached IS NULL AND NOT (e.was_busy OR u.is_busy),
            again_at = CASE WHEN u.reached IS NULL AND (e.was_busy OR u.is_busy)
                            THEN clock_timestamp() + pause
                            WHEN refused <> '{}' THEN clock_timestamp() ELSE e.again_at END
        FROM (
            SELECT u.id, u.made,
                   CASE WHEN u.ordinality = past THEN f.last END AS reached,
                   coalesce(f.is_busy, false) AS is_busy
            FROM unnest(ends) WITH ORDINALITY AS u
            LEFT JOIN (
                SELECT f.place, (array_agg(f.id ORDER BY f.id DESC))[1] AS last,
                       bool_or(f.id IN (SELECT s.id FROM unnest(stuck || refused) AS s (id)))
                           AS is_busy
                FROM unnest(waiters) AS f GROUP BY f.place) AS f ON f.place = u.ordinality
            WHERE past IS NULL OR u.ordinality <= past) AS u
        WHERE e.id = u.id AND e.made = u.made
          AND e.id = ANY (array(SELECT o.id FROM unnest(ends) AS o))
        RETURNING e.settled_to IS NULL AND NOT e.is_settled AS is_left
    )
    SELECT bool_or(m.is_left) AND pause = '1 s' INTO again FROM moved m;
    RETURN stuck <> '{}' OR coalesce(again, false);
END $$;
