-- Takes a finished job out of history, with its errors. An unfinished one stays: it ends first.
-- Answers deleted, unfinished or unknown.
CREATE OR REPLACE FUNCTION tenure.delete_job(
    job uuid, by_whom text DEFAULT NULL, note jsonb DEFAULT NULL) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    became CONSTANT text := tenure.delete_one(job);
BEGIN
    PERFORM tenure.note_jobs('delete', ARRAY[job], by_whom, note) WHERE became = 'deleted';
    RETURN became;
END $$;

-- The same, as one of many that are noted together.
CREATE OR REPLACE FUNCTION tenure.delete_one(job uuid) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM tenure.require_durable_commit();
    IF EXISTS (SELECT FROM tenure.job j WHERE j.id = job) THEN
        RETURN 'unfinished';
    END IF;
    DELETE FROM tenure.job_history h WHERE h.id = job;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    DELETE FROM tenure.given_id g WHERE g.id = job AND g.job_id = job;
    DELETE FROM tenure.kept_key k WHERE k.job_id = job;
    DELETE FROM tenure.attempt_error e WHERE e.job_id = job;
    DELETE FROM tenure.job_step s WHERE s.job_id = job;
    DELETE FROM tenure.job_wait w WHERE w.job_id = job;
    DELETE FROM tenure.job_signal s WHERE s.job_id = job;
    -- How it ended stays for those that waited for it.
    DELETE FROM tenure.job_after a WHERE a.job_id = job;
    RETURN 'deleted';
END $$;
