-- Gives a job up: a pending one is discarded, with who did it as its reason. A running one stays.
-- Answers discarded, running, finished or unknown.
CREATE OR REPLACE FUNCTION tenure.discard_job(job uuid, by_whom text, note jsonb DEFAULT NULL)
RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    became CONSTANT text := tenure.discard_one(job, by_whom);
BEGIN
    PERFORM tenure.note_jobs('discard', ARRAY[job], by_whom, note) WHERE became = 'discarded';
    RETURN became;
END $$;

-- The same, as one of many that are noted together.
CREATE OR REPLACE FUNCTION tenure.discard_one(job uuid, by_whom text) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    found_state tenure.job_state;
BEGIN
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.lock_subjects(ARRAY[job], NULL, true);
    found_state := tenure.lock_job(job);
    IF found_state = 'running' THEN
        RETURN 'running';
    ELSIF found_state IS NOT NULL THEN
        PERFORM tenure.end_pending(job, 'discarded', 'discarded by ' || by_whom);
        RETURN 'discarded';
    END IF;
    RETURN CASE WHEN EXISTS (SELECT FROM tenure.job_history h WHERE h.id = job)
                THEN 'finished' ELSE 'unknown' END;
END $$;
