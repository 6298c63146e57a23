-- What has become of running jobs: `lost`, `cancelled` by whom, `superseded` by which floor.
CREATE OR REPLACE FUNCTION tenure.read_verdicts(ids uuid[], fences bigint[])
RETURNS TABLE (tag text, job_id uuid, number bigint, detail text, lease interval)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    -- Whose rows say nothing of the run.
    claims CONSTANT bigint[] := array(
        SELECT c.number FROM tenure.claim_row c
        WHERE c.number = ANY (array(
            SELECT DISTINCT tenure.claim_of(f.fence) FROM unnest(fences) AS f (fence))));
BEGIN
    RETURN QUERY
    SELECT v.tag, m.id, v.number, v.detail, NULL::interval
    FROM unnest(ids, fences) AS m (id, fence)
    LEFT JOIN LATERAL (
        SELECT j.id, j.kind, j.key, j.generation, j.ending_at, j.ending_by, j.batch_id
        FROM tenure.job j
        WHERE j.id = m.id AND (j.fence = m.fence OR j.fence IS NULL AND j.runs = 0
                               AND tenure.claim_of(m.fence) = ANY (claims)) OFFSET 0) AS j ON true
    LEFT JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s ON true
    LEFT JOIN LATERAL tenure.batch_ending(j.batch_id) AS r (whom) ON true
    CROSS JOIN LATERAL (
        SELECT 'lost', NULL::bigint, NULL::text WHERE j.id IS NULL
        UNION ALL
        SELECT 'cancelled', NULL, coalesce(j.ending_by, r.whom)
        WHERE j.ending_at IS NOT NULL OR r.whom IS NOT NULL
        UNION ALL
        SELECT 'superseded', s.floor, NULL
        WHERE j.ending_at IS NULL AND r.whom IS NULL AND s.floor > j.generation
    ) AS v (tag, number, detail);
END $$;
