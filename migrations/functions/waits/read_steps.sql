-- What is behind a job, without the results; of one step alone, with it.
CREATE OR REPLACE FUNCTION tenure.read_steps(job uuid, step text DEFAULT NULL)
RETURNS TABLE (name text, how tenure.step_way, type text, result jsonb)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT s.name, s.how, s.type, CASE WHEN step IS NOT NULL THEN s.result END
    FROM tenure.job_step s
    WHERE s.job_id = read_steps.job AND (step IS NULL OR s.name = step);
END $$;

-- Whether a run has nothing left to wait for: the signal is there, or the time of this wait, which
-- an earlier run began, is over. A look without locks, before anything is begun for it.
CREATE OR REPLACE FUNCTION tenure.wait_is_over(job uuid, step text, signal text DEFAULT NULL)
RETURNS boolean
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    RETURN EXISTS (SELECT FROM tenure.job_signal s
                   WHERE s.job_id = wait_is_over.job AND s.name = wait_is_over.signal
                     AND s.taken_as IS NULL)
        OR EXISTS (SELECT FROM tenure.job_wait w
                   WHERE w.job_id = wait_is_over.job AND w.name = wait_is_over.step
                     AND w.until <= clock_timestamp());
END $$;
