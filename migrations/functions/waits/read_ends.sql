-- How the jobs ended that one has waited for, with their results: all of them, or those of these
-- ids. As they were when they ended, whatever history keeps. An id may be that of a job that
-- another stands for: the one that was kept for it, or the one that was run in its stead. A key's
-- commit that it has waited for has the id of that wait, and no result; it is among all.
CREATE OR REPLACE FUNCTION tenure.read_ends(job uuid, wanted uuid[] DEFAULT NULL)
RETURNS TABLE (id uuid, outcome tenure.job_outcome, result jsonb, reason text, key_kind text,
               key text, generation bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    IF wanted IS NULL THEN
        RETURN QUERY
        SELECT e.id, e.outcome, e.result, CASE WHEN e.is_key THEN e.root_reason ELSE e.reason END,
               w.kind, w.key, w.generation
        FROM (SELECT a.* FROM tenure.job_after a
              WHERE a.job_id = read_ends.job ORDER BY a.needs OFFSET 0) AS a
        CROSS JOIN LATERAL (
            SELECT e.* FROM tenure.job_end e
            WHERE e.id = a.needs AND e.made = a.made OFFSET 0) AS e
        LEFT JOIN LATERAL (
            SELECT w.kind, w.key, w.generation FROM tenure.key_wait w
            WHERE e.is_key AND w.id = e.id OFFSET 0) AS w ON true;
    ELSE
        RETURN QUERY
        SELECT w.id, e.outcome, e.result, e.reason, NULL::text, NULL::text, NULL::bigint
        FROM (SELECT DISTINCT w.id FROM unnest(wanted) AS w (id) ORDER BY 1) AS w
        CROSS JOIN LATERAL (
            SELECT a.* FROM tenure.job_after a
            WHERE a.job_id = read_ends.job AND a.needs = coalesce(
                (SELECT o.needs FROM tenure.job_after o
                 WHERE o.job_id = read_ends.job AND o.needs = w.id),
                (tenure.awaited_again(coalesce(
                    (SELECT g.job_id FROM tenure.given_id g WHERE g.id = w.id), w.id), '{}')).id)
            OFFSET 0) AS a
        CROSS JOIN LATERAL (
            SELECT e.* FROM tenure.job_end e
            WHERE e.id = a.needs AND e.made = a.made OFFSET 0) AS e;
    END IF;
END $$;
