-- What is behind a job that failed or was cancelled is behind the one that is run in its stead,
-- too: what it has done it doesn't do again. One that completed is run again from the start. Whose
-- letter it was, that one is as well.
CREATE OR REPLACE FUNCTION tenure.copy_steps(old uuid, new uuid) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    INSERT INTO tenure.job_letter (job_id, letter_id)
    SELECT l.job_id, copy_steps.new FROM tenure.job_letter l WHERE l.letter_id = copy_steps.old
    ON CONFLICT (job_id, letter_id) DO NOTHING;
    INSERT INTO tenure.job_step (job_id, name, fence, how, type, result, took, done_at)
    SELECT copy_steps.new, s.name, s.fence, s.how, s.type, s.result, s.took, s.done_at
    FROM tenure.job_step s
    WHERE s.job_id = copy_steps.old AND EXISTS (
        SELECT FROM tenure.job_history h
        WHERE h.id = copy_steps.old AND h.outcome IN ('discarded', 'cancelled'))
    ON CONFLICT (job_id, name) DO NOTHING;
END $$;
