-- Forgets steps, waits and signals of jobs that are over, and how those ended that they waited for:
-- nobody asks for them as long as for the jobs.
CREATE OR REPLACE FUNCTION tenure.drop_steps(kept interval) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM tenure.job_step s
    WHERE s.done_at < clock_timestamp() - kept
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = s.job_id);
    DELETE FROM tenure.job_wait w
    WHERE w.made_at < clock_timestamp() - kept
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = w.job_id);
    DELETE FROM tenure.job_signal s
    WHERE s.sent_at < clock_timestamp() - kept
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = s.job_id);
    DELETE FROM tenure.job_after a
    WHERE a.asked_at < clock_timestamp() - kept
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = a.job_id);
    DELETE FROM tenure.job_end e
    WHERE e.is_settled AND e.ended_at < clock_timestamp() - kept
      AND NOT EXISTS (SELECT FROM tenure.job_after a WHERE a.needs = e.id);
END $$;
