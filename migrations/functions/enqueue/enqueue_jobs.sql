-- Enqueues an array of jobs, for callers with one jsonb.
CREATE OR REPLACE FUNCTION tenure.enqueue_jobs(jobs jsonb) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.check_fields(jobs);
    RETURN QUERY SELECT e.* FROM tenure.enqueue_new(tenure.read_jobs(jobs)) AS e;
END $$;
