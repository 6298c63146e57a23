-- What operators do with jobs: cancel, discard, delete, retry, run again, release.
--
-- Locks: as everywhere, a keyed job's subject before the job, and a finished job that is run again
-- before everything else.

-- One verb for many jobs: cancel, discard, delete, retry (of unfinished ones). In the one lock
-- order, and waiting for nobody: what is locked just then, or whose key is, is called busy.
CREATE OR REPLACE FUNCTION tenure.operate_jobs(
    verb text, ids uuid[], by_whom text, note jsonb DEFAULT NULL)
RETURNS TABLE (id uuid, became text)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    busy uuid[] := tenure.lock_subjects(ids, NULL, false);
    done uuid[] := '{}';
BEGIN
    IF verb IN ('cancel', 'discard', 'delete', 'retry') IS NOT TRUE THEN
        RAISE EXCEPTION 'there is no verb "%" for jobs', left(verb, 64)
            USING ERRCODE = 'TN003', HINT = 'use cancel, discard, delete or retry';
    END IF;
    FOR id IN SELECT u.id FROM unnest(ids) AS u (id) ORDER BY u.id LOOP
        became := 'busy';
        -- Who runs a finished job again has its row, and may wait for a subject that is held here;
        -- so has who is about to wait for how it ended.
        IF verb = 'delete' AND (
            SELECT count(*) FROM tenure.job_history h WHERE h.id = operate_jobs.id) > (
            SELECT count(*) FROM (
                SELECT FROM tenure.job_history h WHERE h.id = operate_jobs.id
                FOR UPDATE SKIP LOCKED) AS free) THEN
            RETURN NEXT;
            CONTINUE;
        END IF;
        IF id <> ALL (busy) THEN
            PERFORM FROM tenure.job j WHERE j.id = operate_jobs.id FOR UPDATE SKIP LOCKED;
            IF FOUND OR NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = operate_jobs.id) THEN
                became := CASE verb WHEN 'cancel' THEN tenure.cancel_one(operate_jobs.id, by_whom)
                                    WHEN 'discard' THEN tenure.discard_one(
                                        operate_jobs.id, by_whom)
                                    WHEN 'delete' THEN tenure.delete_one(operate_jobs.id)
                                    WHEN 'retry' THEN tenure.run_now(operate_jobs.id) END;
            END IF;
        END IF;
        IF became IN ('cancelled', 'cancelling', 'discarded', 'deleted', 'retried') THEN
            done := done || operate_jobs.id;
        END IF;
        RETURN NEXT;
    END LOOP;
    PERFORM tenure.note_jobs(verb, done, by_whom, note);
END $$;

-- Runs a pending or held job now, however late. It is locked. Answers retried or kept.
CREATE OR REPLACE FUNCTION tenure.run_now(job uuid) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.lock_job(job);
    UPDATE tenure.job j
    SET state = 'available', run_at = clock_timestamp(), calendar = false, not_after = NULL,
        hold_reason = NULL, hold_versions = NULL
    WHERE j.id = job AND j.state IN ('scheduled', 'available', 'retryable', 'held');
    IF NOT FOUND THEN
        RETURN 'kept';
    END IF;
    PERFORM tenure.call_lanes(ARRAY[job]);
    RETURN 'retried';
END $$;
