-- `<> ALL (ids)` with a parameter compares every job with every id; an anti join hashes them.
CREATE OR REPLACE FUNCTION tenure.beat(
    session bigint, ids uuid[], fences bigint[], since_fence bigint, news jsonb)
RETURNS TABLE (tag text, job_id uuid, number bigint, detail text, lease interval)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH renewed AS (
        UPDATE tenure.session s
        SET beat = s.beat + 1, beaten_at = clock_timestamp(), progress = news
        WHERE s.id = session AND s.ended_at IS NULL
        RETURNING s.beat
    )
    SELECT 'beat', NULL::uuid, r.beat, NULL::text, NULL::interval FROM renewed r
    UNION ALL
    SELECT v.* FROM tenure.read_verdicts(ids, fences) AS v
    UNION ALL
    SELECT 'unknown', j.id, j.fence, NULL, NULL FROM tenure.job j
    WHERE j.session_id = session AND j.fence >= since_fence
      AND j.id NOT IN (SELECT known.id FROM unnest(ids) AS known (id))
    UNION ALL
    SELECT 'peer', NULL, s.id, s.beat::text, s.lease FROM tenure.session s
    WHERE s.ended_at IS NULL AND s.reclaimed_at IS NULL AND s.id <> session
    UNION ALL
    SELECT 'dead', NULL, s.id, NULL, NULL FROM tenure.session s
    WHERE s.ended_at IS NOT NULL AND s.reclaimed_at IS NULL AND s.id <> session;
END $$;
