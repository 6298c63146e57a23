-- For other languages: one job, by name. Raises TN003 where the Swift library would refuse.
-- With `notify` the commit itself wakes the workers: commits that do so go one after the other, and
-- where PostgreSQL's queue of notifications is full, the commit fails. So it is the caller's choice
-- where the transaction is the caller's. Left out, it is done where nothing was written before in
-- the transaction: it is this call's own, as far as anybody can tell. The calls that follow such a
-- one in its transaction notify too, each its queue.
CREATE OR REPLACE FUNCTION tenure.enqueue(
    kind text, payload jsonb DEFAULT '{}', queue text DEFAULT 'default', key text DEFAULT NULL,
    mode text DEFAULT NULL, priority integer DEFAULT 5, run_at timestamptz DEFAULT NULL,
    after interval DEFAULT NULL, max_attempts integer DEFAULT 25, overlap boolean DEFAULT true,
    max_wait interval DEFAULT NULL, lane text DEFAULT NULL, lane_max_running integer DEFAULT NULL,
    lane_min_interval interval DEFAULT NULL, not_after timestamptz DEFAULT NULL,
    expires_in interval DEFAULT NULL, batch_id uuid DEFAULT NULL, id uuid DEFAULT NULL,
    payload_version integer DEFAULT 1, notify boolean DEFAULT NULL, trace text DEFAULT NULL)
RETURNS TABLE (job_id uuid, job_generation bigint, result text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    is_first CONSTANT boolean := pg_current_xact_id_if_assigned() IS NULL;
    follows  CONSTANT boolean := NOT is_first AND enqueue.notify IS NULL
        AND current_setting('tenure.notifies', true) = pg_current_xact_id()::text;
    wrong    CONSTANT text := CASE
        WHEN enqueue.payload IS NULL
        THEN 'payload is null; leave it out, or give JSON (''null'' for JSON''s own null)'
        WHEN NOT isfinite(enqueue.run_at)
        THEN format('run_at is %s; give a time in the years 1 to 9999, or leave it out',
                    enqueue.run_at)
        WHEN NOT isfinite(enqueue.not_after)
        THEN format('not_after is %s; give a time in the years 1 to 9999, or leave it out',
                    enqueue.not_after)
        WHEN enqueue.payload_version NOT BETWEEN 1 AND 32767
        THEN format('payload_version is %s; give 1 to 32767', enqueue.payload_version)
        WHEN enqueue.priority NOT BETWEEN 0 AND 9
        THEN format('priority is %s; give 0 to 9', enqueue.priority)
        WHEN enqueue.lane IS NULL AND enqueue.lane_max_running IS NOT NULL
        THEN 'lane_max_running is given, but no lane; give a lane'
        WHEN enqueue.lane IS NULL AND enqueue.lane_min_interval IS NOT NULL
        THEN 'lane_min_interval is given, but no lane; give a lane' END;
BEGIN
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'a job''s %', wrong USING ERRCODE = 'TN003';
    END IF;
    RETURN QUERY SELECT e.id, e.generation, e.result FROM tenure.enqueue_jobs(
        jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
            'id', enqueue.id, 'kind', enqueue.kind, 'queue', enqueue.queue, 'key', enqueue.key,
            'mode', enqueue.mode, 'priority', enqueue.priority, 'run_at', enqueue.run_at,
            'after', enqueue.after, 'max_attempts', enqueue.max_attempts,
            'not_after', enqueue.not_after, 'expires_in', enqueue.expires_in,
            'overlap', enqueue.overlap, 'max_wait', enqueue.max_wait, 'lane', enqueue.lane,
            'lane_max_running', enqueue.lane_max_running,
            'lane_min_interval', enqueue.lane_min_interval, 'batch_id', enqueue.batch_id,
            'payload_version', enqueue.payload_version, 'trace', enqueue.trace))
        || jsonb_build_object('payload', enqueue.payload))) AS e;
    -- Behind the checks: a queue's name is short and plain then.
    IF enqueue.notify IS NULL AND is_first THEN
        PERFORM set_config('tenure.notifies', pg_current_xact_id()::text, true);
    END IF;
    IF coalesce(enqueue.notify, is_first OR follows) THEN
        PERFORM pg_notify('tenure_available', coalesce(enqueue.queue, 'default'));
    END IF;
END $$;
