-- Forgets what was reported of runs whose jobs are over: nobody asks for it as long as for the
-- jobs.
CREATE OR REPLACE FUNCTION tenure.drop_progress(kept interval) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM tenure.job_progress p
    WHERE p.reported_at < clock_timestamp() - kept
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = p.job_id);
END $$;
