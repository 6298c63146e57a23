-- Whether this fence is the job's: its own row says so, or a claim row that speaks for it.
CREATE OR REPLACE FUNCTION tenure.runs_as(job tenure.job, fence bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN job.fence IS NOT NULL THEN job.fence = runs_as.fence
                WHEN job.runs > 0 THEN false
                ELSE EXISTS (
                    SELECT FROM tenure.folded_run f
                    WHERE f.number = tenure.claim_of(runs_as.fence) AND f.fence = runs_as.fence
                      AND f.job_id = job.id AND f.made = job.created_at) END
$$;
