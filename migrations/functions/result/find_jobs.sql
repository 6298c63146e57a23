-- Those of the jobs that are there, unfinished or in history, with their generations.
CREATE OR REPLACE FUNCTION tenure.find_jobs(ids uuid[]) RETURNS TABLE (id uuid, generation bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT j.id, j.generation FROM tenure.job j WHERE j.id = ANY (ids)
    UNION ALL
    SELECT h.id, h.generation FROM tenure.job_history h WHERE h.id = ANY (ids);
END $$;
