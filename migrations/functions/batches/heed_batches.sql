-- Whatever a batch's job came to say, its cancelled batch has the first word. The jobs are locked.
CREATE OR REPLACE FUNCTION tenure.heed_batches(endings tenure.ending[], locked tenure.job[])
RETURNS tenure.ending[]
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN array(
        SELECT CASE WHEN c.whom IS NULL THEN e
                    ELSE (e.id, e.fence, 'cancelled', NULL, NULL, c.whom, NULL, NULL, NULL, NULL)
                         ::tenure.ending END
        FROM unnest(endings) AS e
        LEFT JOIN unnest(locked) AS l ON l.id = e.id AND l.fence = e.fence
        LEFT JOIN LATERAL tenure.batch_ending(l.batch_id) AS c (whom) ON true);
END $$;
