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
    PERFORM tenure.clear_job(job);
    RETURN 'deleted';
END $$;

-- Deletes what there is of a job that is over, history or not; whether there was anything. How it
-- ended stays for those that waited for it.
CREATE OR REPLACE FUNCTION tenure.clear_job(job uuid) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    cleared bigint;
BEGIN
    WITH past AS (
        DELETE FROM tenure.job_history h WHERE h.id = job RETURNING h.id
    ), given AS (
        DELETE FROM tenure.given_id g WHERE g.id = job AND g.job_id = job RETURNING g.id
    ), kept AS (
        DELETE FROM tenure.kept_key k WHERE k.job_id = job RETURNING k.job_id
    ), errors AS (
        DELETE FROM tenure.attempt_error e WHERE e.job_id = job RETURNING e.job_id
    ), steps AS (
        DELETE FROM tenure.job_step s WHERE s.job_id = job RETURNING s.job_id
    ), waits AS (
        DELETE FROM tenure.job_wait w WHERE w.job_id = job RETURNING w.job_id
    ), signals AS (
        DELETE FROM tenure.job_signal s WHERE s.job_id = job RETURNING s.job_id
    ), edges AS (
        DELETE FROM tenure.job_after a WHERE a.job_id = job RETURNING a.job_id
    ), progress AS (
        DELETE FROM tenure.job_progress p WHERE p.job_id = job RETURNING p.job_id
    ), tags AS (
        DELETE FROM tenure.job_tag t WHERE t.job_id = job RETURNING t.job_id
    ), logs AS (
        DELETE FROM tenure.job_log l WHERE l.job_id = job RETURNING l.job_id
    )
    SELECT count(*) INTO cleared FROM (
        SELECT FROM past UNION ALL SELECT FROM given UNION ALL SELECT FROM kept
        UNION ALL SELECT FROM errors UNION ALL SELECT FROM steps UNION ALL SELECT FROM waits
        UNION ALL SELECT FROM signals UNION ALL SELECT FROM edges
        UNION ALL SELECT FROM progress UNION ALL SELECT FROM tags
        UNION ALL SELECT FROM logs) AS c;
    RETURN cleared > 0;
END $$;
