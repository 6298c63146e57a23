-- Runs a job again: a pending one now, however late; a finished one as a new job that names the
-- old, is named by it, and waits for what that one waited for (`waits_again`). A keyed one gives
-- way to an unfinished job of its key. Where its batch is over, it runs alone. A finished one that
-- has been run again stays as it is, and the answer is its repetition; unless it is to be run once
-- more (`again`).
CREATE OR REPLACE FUNCTION tenure.retry_job(
    job uuid, new_id uuid, again boolean DEFAULT false, by_whom text DEFAULT NULL,
    note jsonb DEFAULT NULL)
RETURNS TABLE (id uuid, generation bigint, result text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    past tenure.job_history;
    made tenure.enqueued;
BEGIN
    PERFORM tenure.lock_subjects(ARRAY[job], NULL, true);
    PERFORM tenure.lock_job(job);
    UPDATE tenure.job j
    SET state = 'available', run_at = clock_timestamp(), calendar = false, not_after = NULL,
        hold_reason = NULL, hold_versions = NULL
    WHERE j.id = job AND j.state IN ('scheduled', 'available', 'retryable', 'held');
    IF FOUND THEN
        PERFORM tenure.call_lanes(ARRAY[job]);
        PERFORM tenure.note_jobs('retry', ARRAY[job], by_whom, note);
        RETURN QUERY SELECT j.id, j.generation, 'updated'::text FROM tenure.job j WHERE j.id = job;
        RETURN;
    END IF;
    IF EXISTS (SELECT FROM tenure.job j WHERE j.id = job) THEN
        RETURN QUERY SELECT j.id, j.generation, 'kept'::text FROM tenure.job j WHERE j.id = job;
        RETURN;
    END IF;
    past := tenure.lock_past(job);
    IF past.id IS NULL THEN
        RETURN;
    ELSIF past.retried_as IS NOT NULL AND NOT again THEN
        made.id := past.retried_as;
        made.result := 'kept';
    ELSE
        SELECT e.* INTO made FROM tenure.enqueue_new(tenure.read_jobs(
            jsonb_build_array(
                tenure.job_again(past) || jsonb_build_object('new_id', new_id)
                    || tenure.waits_again(job)))) AS e;
        IF made.result <> 'kept' THEN
            UPDATE tenure.job_history h SET retried_as = made.id
            WHERE h.id = job AND h.outcome = past.outcome AND h.finished_at = past.finished_at;
            PERFORM tenure.copy_steps(job, made.id);
            PERFORM tenure.note_jobs('retry', ARRAY[job], by_whom, note);
        END IF;
    END IF;
    RETURN QUERY SELECT made.id, made.generation, made.result;
END $$;

-- A finished job, locked against being run again by two at once. Nobody waits for it with a subject
-- locked: where its last run ended while that was waited for, it gives up (55P03) if it has to.
CREATE OR REPLACE FUNCTION tenure.lock_past(job uuid) RETURNS tenure.job_history
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
    past tenure.job_history;
BEGIN
    SELECT * INTO past FROM tenure.job_history h WHERE h.id = job LIMIT 1 FOR NO KEY UPDATE;
    RETURN past;
END $$;
