-- Leaves the keys one pending job each: the newest that may still run. One that has expired, whose
-- batch was cancelled, or that waited for a job that was not completed, and that was not swept yet
-- is no answer to an enqueue, takes no new content, and must not stand beside a job that does. An
-- older one is there when its successor had expired, was passed over, and has time again: the clock
-- was set back. Nobody's wait for the key fails by this, since a job of it is about to be enqueued;
-- where another is kept instead, the caller decides them (`decide_kept`): whether one was given up.
-- The subjects are locked.
CREATE OR REPLACE FUNCTION tenure.clear_pending(news tenure.new_job[]) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    moment timestamptz := clock_timestamp();
    extra  record;
    gave_up boolean := false;
BEGIN
    FOR extra IN
        SELECT c.* FROM (
            SELECT w.* FROM (
                SELECT j.*, first_value(j.id) OVER (
                           PARTITION BY n.ordinal ORDER BY j.is_over, j.generation DESC)
                           AS newest
                FROM unnest(news) AS n CROSS JOIN LATERAL (
                    SELECT j.id, j.generation, j.not_after, batch.whom,
                           j.waits_for_jobs AND j.state = 'waiting'
                               AND tenure.has_failed(j.id) AS is_doomed,
                           batch.whom IS NOT NULL
                               OR coalesce(j.not_after <= moment, false)
                               OR j.waits_for_jobs AND j.state = 'waiting'
                                  AND tenure.has_failed(j.id) AS is_over
                    FROM tenure.job j
                    LEFT JOIN LATERAL tenure.batch_ending(j.batch_id) AS batch (whom) ON true
                    WHERE j.kind = n.kind AND j.key = n.key AND j.generation >= n.oldest
                      AND j.state <> 'running' OFFSET 0) AS j
                WHERE n.mode <> 'superseding') AS w
            WHERE w.is_over OR w.id <> w.newest ORDER BY w.id) AS c
        CROSS JOIN LATERAL (
            SELECT FROM tenure.job j WHERE j.id = c.id AND j.state <> 'running' FOR UPDATE) AS l
    LOOP
        gave_up := gave_up OR extra.is_over;
        IF extra.whom IS NOT NULL THEN
            PERFORM tenure.move_pending(
                ARRAY[extra.id], 'cancelled', extra.whom, followed => true);
        ELSIF extra.is_doomed THEN
            PERFORM tenure.cancel_doomed(extra.id);
        ELSIF extra.is_over THEN
            PERFORM tenure.move_pending(
                ARRAY[extra.id], 'discarded', tenure.expiry_reason(extra.not_after, NULL),
                followed => true);
        ELSE
            PERFORM tenure.move_pending(
                ARRAY[extra.id], 'superseded', 'superseded before it ran', ARRAY[extra.newest]);
        END IF;
    END LOOP;
    RETURN gave_up;
END $$;
