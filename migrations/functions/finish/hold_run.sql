-- Holds a run's right until the end of the transaction, for writes that do not end the job, with
-- follow-up jobs, and keeps the last lines that it has logged. It comes after the writes: fence
-- first would be another lock order.
-- Raises TN001 when the right is gone. A supersede waits for this transaction, or this one sees it.
CREATE OR REPLACE FUNCTION tenure.hold_run(
    job uuid, fence bigint, follow_ups jsonb DEFAULT NULL, log jsonb DEFAULT NULL)
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    mine  tenure.job;
    taken tenure.enqueued[];
BEGIN
    PERFORM tenure.check_log(hold_run.log);
    IF hold_run.follow_ups IS NOT NULL THEN
        PERFORM tenure.check_fields(hold_run.follow_ups);
        PERFORM tenure.enter_other_batches(hold_run.follow_ups, ARRAY[hold_run.job]);
        taken := tenure.take_follow_ups(hold_run.follow_ups);
    END IF;
    PERFORM tenure.lock_subjects(ARRAY[hold_run.job], hold_run.follow_ups, true);
    SELECT * INTO mine FROM tenure.job j
    WHERE j.id = hold_run.job AND j.fence = hold_run.fence FOR NO KEY UPDATE;
    IF NOT FOUND AND tenure.unfold(ARRAY[hold_run.job], ARRAY[hold_run.fence]) > 0 THEN
        SELECT * INTO mine FROM tenure.job j
        WHERE j.id = hold_run.job AND j.fence = hold_run.fence FOR NO KEY UPDATE;
    END IF;
    IF NOT FOUND OR mine.ending_at IS NOT NULL OR EXISTS (
        SELECT FROM tenure.subject_of(mine.kind, mine.key) AS s
        WHERE s.floor > mine.generation OR s.committed >= mine.generation)
       OR EXISTS (SELECT FROM tenure.batch_ending(mine.batch_id)) THEN
        RAISE EXCEPTION 'late result: job % has lost fence %', hold_run.job, hold_run.fence
            USING ERRCODE = 'TN001', DETAIL = 'late',
            HINT = 'roll back; another run of this job, or a newer one, has its place';
    END IF;
    IF jsonb_typeof(hold_run.log) = 'array' THEN
        PERFORM tenure.write_logs(ARRAY[hold_run.job], ARRAY[hold_run.fence], ARRAY[hold_run.log]);
    END IF;
    IF hold_run.follow_ups IS NOT NULL THEN
        RETURN QUERY SELECT e.*
                     FROM tenure.enqueue_new(
                         tenure.read_jobs(hold_run.follow_ups), true, taken) AS e;
    END IF;
END $$;
