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
    PERFORM tenure.clear_job(job), tenure.stay_given(job);
    RETURN 'deleted';
END $$;

-- Deletes what there is of a job that is over, history or not; whether there was anything. How it
-- ended stays for those that waited for it. Of an id that somebody has just enqueued nothing goes:
-- he is seen in the same look as what he has written.
CREATE OR REPLACE FUNCTION tenure.clear_job(job uuid) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    cleared bigint;
BEGIN
    WITH over AS MATERIALIZED (
        SELECT clear_job.job AS id
        WHERE NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = clear_job.job)
    ), past AS (
        DELETE FROM tenure.job_history h USING over o WHERE h.id = o.id RETURNING h.id
    ), kept AS (
        DELETE FROM tenure.kept_key k USING over o WHERE k.job_id = o.id RETURNING k.job_id
    ), errors AS (
        DELETE FROM tenure.attempt_error e USING over o WHERE e.job_id = o.id RETURNING e.job_id
    ), steps AS (
        DELETE FROM tenure.job_step s USING over o WHERE s.job_id = o.id RETURNING s.job_id
    ), waits AS (
        DELETE FROM tenure.job_wait w USING over o WHERE w.job_id = o.id RETURNING w.job_id
    ), signals AS (
        DELETE FROM tenure.job_signal s USING over o WHERE s.job_id = o.id RETURNING s.job_id
    ), edges AS (
        DELETE FROM tenure.job_after a USING over o WHERE a.job_id = o.id RETURNING a.job_id
    ), progress AS (
        DELETE FROM tenure.job_progress p USING over o WHERE p.job_id = o.id RETURNING p.job_id
    ), tags AS (
        DELETE FROM tenure.job_tag t USING over o WHERE t.job_id = o.id RETURNING t.job_id
    ), logs AS (
        DELETE FROM tenure.job_log l USING over o WHERE l.job_id = o.id RETURNING l.job_id
    )
    SELECT count(*) INTO cleared FROM (
        SELECT FROM past UNION ALL SELECT FROM kept
        UNION ALL SELECT FROM errors UNION ALL SELECT FROM steps UNION ALL SELECT FROM waits
        UNION ALL SELECT FROM signals UNION ALL SELECT FROM edges
        UNION ALL SELECT FROM progress UNION ALL SELECT FROM tags
        UNION ALL SELECT FROM logs) AS c;
    PERFORM tenure.stay_given(job) WHERE cleared > 0;
    RETURN cleared > 0;
END $$;

-- The id that was given for a job stays given, as do others that it stood for, for as long as
-- history is kept: whoever has just seen the job may be about to write of it.
CREATE OR REPLACE FUNCTION tenure.stay_given(job uuid) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    UPDATE tenure.given_id g SET given_at = clock_timestamp()
    WHERE g.id = ANY (array(
        SELECT stay_given.job UNION ALL
        SELECT o.id FROM tenure.given_id o
        WHERE o.job_id = stay_given.job AND o.job_id <> o.id));
END $$;
