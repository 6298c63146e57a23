-- What is told of a job to whoever knows its id.
--
-- Why: as for enqueues (../enqueue/add_job.sql). An id has 74 random bits: who has it made the job,
-- or was told of it.
-- Locks: none.

-- Where a job stands, for those who wait for its end. No row where it is neither unfinished nor in
-- history; no outcome while it is unfinished.
CREATE OR REPLACE FUNCTION tenure.read_end(job uuid)
RETURNS TABLE (
    id uuid, kind text, key text, outcome text, result jsonb, reason text, superseded_by uuid,
    last_error text)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    -- One snapshot: a job that ends meanwhile is either still there or in history.
    RETURN QUERY
    SELECT j.id, j.kind, j.key, NULL::text, NULL::jsonb, NULL::text, NULL::uuid, NULL::text
    FROM tenure.job j WHERE j.id = read_end.job
    UNION ALL
    SELECT h.id, h.kind, h.key, h.outcome::text, h.result, h.reason,
           h.superseded_by, CASE WHEN h.outcome = 'discarded' THEN (
               SELECT e.message FROM tenure.attempt_error e
               WHERE e.job_id = h.id ORDER BY e.fence DESC LIMIT 1) END
    FROM tenure.job_history h WHERE h.id = read_end.job;
END $$;
