-- The ways a run comes to its end: a commit with writes of its own, a hold, many at once, reclaim.
--
-- Locks: the given ids of follow-ups; subjects sorted, its own and its follow-ups', then jobs by
-- id and fence; a lane only where a job goes on in another.

-- The last statement of a commit: ends one run in the transaction that holds its writes, with
-- its follow-up jobs, a row for each. One row more, without an ordinal, says that others wait for
-- this job (`awaited`): `settle_ends` is to be called with its id, best once this is committed.
-- Raises TN001 when the result is late: roll back, nothing of it counts.
CREATE OR REPLACE FUNCTION tenure.finish(
    job uuid, fence bigint, outcome text DEFAULT 'completed', result jsonb DEFAULT NULL,
    follow_ups jsonb DEFAULT NULL, reason text DEFAULT NULL, delay interval DEFAULT NULL,
    also jsonb DEFAULT NULL)
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    became   text;
    awaited  boolean;
    outdated boolean;
    taken    tenure.enqueued[];
BEGIN
    IF finish.outcome NOT IN ('completed', 'failed', 'snoozed', 'discarded', 'cancelled',
                              'superseded', 'handed_back', 'held') THEN
        RAISE EXCEPTION 'outcome "%" is unknown', finish.outcome USING ERRCODE = 'TN003',
            HINT = 'use completed, failed, snoozed, discarded, handed_back or held';
    ELSIF finish.delay > '3650 days' THEN
        RAISE EXCEPTION 'delay is %', finish.delay USING ERRCODE = 'TN003',
            HINT = 'give at most 3650 days';
    END IF;
    IF tenure.keeps_snapshot() THEN
        PERFORM tenure.require_current_batches_of(ARRAY[finish.job]);
    END IF;
    PERFORM tenure.check_json('result', finish.result),
            tenure.check_also(finish.also);
    IF finish.follow_ups IS NOT NULL THEN
        PERFORM tenure.check_fields(finish.follow_ups);
        PERFORM tenure.enter_other_batches(finish.follow_ups, ARRAY[finish.job]);
        taken := tenure.take_follow_ups(finish.follow_ups);
    ELSIF finish.outcome = 'completed' AND finish.reason IS NULL AND finish.also IS NULL THEN
        IF tenure.complete_run(finish.job, finish.fence, finish.result) THEN
            RETURN;
        END IF;
    END IF;
    PERFORM tenure.lock_subjects(ARRAY[finish.job], finish.follow_ups, true);
    -- Under its lock: a job that merely gives way to a coalesced successor is not late.
    outdated := EXISTS (
        SELECT FROM (SELECT j.kind, j.key, j.generation FROM tenure.job j
                     WHERE j.id = finish.job OFFSET 0) AS j
        CROSS JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s
        WHERE s.floor > j.generation OR s.committed >= j.generation);
    SELECT e.became, e.awaited INTO became, awaited FROM tenure.end_runs(ARRAY[
        (finish.job, finish.fence, finish.outcome, finish.delay, finish.result, finish.reason,
         NULL, NULL, NULL, finish.also)::tenure.ending], true) AS e;
    IF became = 'late' OR became = 'cancelled' AND finish.outcome <> 'cancelled'
       OR became = 'superseded' AND finish.outcome <> 'superseded' AND outdated THEN
        RAISE EXCEPTION 'late result: job % is % for fence %', finish.job,
            CASE became WHEN 'late' THEN 'gone' ELSE became END, finish.fence
            USING ERRCODE = 'TN001', DETAIL = became,
            HINT = 'roll back; another run of this job, or a newer one, has its place';
    END IF;
    IF finish.follow_ups IS NOT NULL THEN
        RETURN QUERY SELECT e.*
                     FROM tenure.enqueue_new(
                         tenure.read_jobs(finish.follow_ups), true, taken) AS e;
    END IF;
    IF awaited THEN
        RETURN NEXT (NULL, finish.job, NULL, 'awaited')::tenure.enqueued;
    END IF;
END $$;
