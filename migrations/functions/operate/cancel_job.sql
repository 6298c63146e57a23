-- Cancels a job: a pending one is over, a running one learns it and keeps its place until it has
-- let go. Answers cancelled, cancelling, finished or unknown. The worker of a running one is to be
-- told afterwards: a notification is a transaction of its own.
CREATE OR REPLACE FUNCTION tenure.cancel_job(job uuid, by_whom text, note jsonb DEFAULT NULL)
RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    became CONSTANT text := tenure.cancel_one(job, by_whom);
BEGIN
    PERFORM tenure.note_jobs('cancel', ARRAY[job], by_whom, note)
    WHERE became IN ('cancelled', 'cancelling');
    RETURN became;
END $$;

-- The same, as one of many that are noted together.
CREATE OR REPLACE FUNCTION tenure.cancel_one(job uuid, by_whom text) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    found_state tenure.job_state;
BEGIN
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.lock_subjects(ARRAY[job], NULL, true);
    found_state := tenure.lock_job(job);
    IF found_state IS NULL THEN
        RETURN CASE WHEN EXISTS (SELECT FROM tenure.job_history h WHERE h.id = job)
                    THEN 'finished' ELSE 'unknown' END;
    END IF;
    IF found_state = 'running' THEN
        UPDATE tenure.job j
        SET ending_at = coalesce(j.ending_at, clock_timestamp()),
            ending_by = coalesce(j.ending_by, by_whom)
        WHERE j.id = job;
        RETURN 'cancelling';
    END IF;
    PERFORM tenure.end_pending(job, 'cancelled', by_whom);
    RETURN 'cancelled';
END $$;
