-- Locks a job, and then says what it is: one that a claim row speaks for is written as running
-- first. In this order: a claim that was under way is over when the lock is had, and leaves the
-- job's row as it was. Whoever keeps an old snapshot would not see its claim row, and is refused.
-- Null: there is no such job.
CREATE OR REPLACE FUNCTION tenure.lock_job(job uuid) RETURNS tenure.job_state
LANGUAGE plpgsql AS $$
DECLARE
    mine tenure.job;
BEGIN
    SELECT * INTO mine FROM tenure.job j WHERE j.id = lock_job.job FOR UPDATE;
    IF mine.runs = 0 AND mine.key IS NULL AND mine.lane IS NULL AND mine.state <> 'running' THEN
        PERFORM tenure.require_read_committed('a verb for a job that may run');
        IF tenure.unfold(ARRAY[lock_job.job]) > 0 THEN
            RETURN 'running';
        END IF;
    END IF;
    RETURN mine.state;
END $$;
