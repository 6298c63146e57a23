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
    payload_version integer DEFAULT 1, notify boolean DEFAULT NULL, trace text DEFAULT NULL,
    after_completed uuid[] DEFAULT NULL, after_ended uuid[] DEFAULT NULL,
    within interval DEFAULT NULL, lane_burst integer DEFAULT NULL,
    lane_weight integer DEFAULT NULL, lane_strict boolean DEFAULT NULL,
    after_keys jsonb DEFAULT NULL, tags text[] DEFAULT NULL)
RETURNS TABLE (job_id uuid, job_generation bigint, result text)
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    is_first CONSTANT boolean := notify IS NULL AND pg_current_xact_id_if_assigned() IS NULL;
    moment   timestamptz;
    due      timestamptz;
BEGIN
    -- One that no other job has to do with, and in which nothing is wrong, is a row. All others go
    -- the long way, which says what is wrong. Each statement here costs a fifth of the row, so
    -- there is but one.
    IF num_nonnulls(key, mode, max_wait, lane, lane_max_running, lane_min_interval, not_after,
                    expires_in, batch_id, id, after_completed, after_ended, within,
                    lane_burst, lane_weight, lane_strict, after_keys, tags) = 0
       AND octet_length(kind) BETWEEN 1 AND 128 AND octet_length(queue) BETWEEN 1 AND 128
       AND tenure.is_plain(kind || queue)
       AND priority BETWEEN 0 AND 9 AND max_attempts BETWEEN 1 AND 10000
       AND payload_version BETWEEN 1 AND 32767
       AND (CASE WHEN run_at IS NOT NULL THEN tenure.is_sane(run_at)
                 ELSE tenure.is_bearable(coalesce(after, '0')) END)
       AND coalesce(octet_length(trace), 1) BETWEEN 1 AND 4096 AND payload IS NOT NULL THEN
        IF octet_length(payload::text) > tenure.harmless_json() THEN
            PERFORM tenure.check_json('payload', payload);
        END IF;
        IF current_setting('synchronous_commit') = 'off' THEN
            PERFORM set_config('synchronous_commit', 'on', true);
        END IF;
        job_id := tenure.new_id();
        moment := clock_timestamp();
        due := coalesce(run_at, moment + after, moment);
        INSERT INTO tenure.job (
            id, kind, queue, payload, payload_version, priority, max_attempts, run_at, calendar,
            state, trace)
        VALUES (
            job_id, kind, queue, payload, payload_version, priority, max_attempts, due,
            coalesce(run_at > moment, false),
            CASE WHEN due > moment THEN 'scheduled' ELSE 'available' END::tenure.job_state, trace);
        result := 'enqueued';
        RETURN NEXT;
    ELSE
        RETURN QUERY SELECT e.id, e.generation, e.result FROM tenure.enqueue_any(
            kind, payload, queue, key, mode, priority, run_at, after, max_attempts, overlap,
            max_wait, lane, lane_max_running, lane_min_interval, not_after, expires_in, batch_id,
            id, payload_version, trace, after_completed, after_ended, within,
            lane_burst, lane_weight, lane_strict, after_keys, tags) AS e;
    END IF;
    -- Behind the checks: a queue's name is short and plain then.
    IF is_first THEN
        PERFORM set_config('tenure.notifies', pg_current_xact_id()::text, true),
                pg_notify('tenure_available', coalesce(queue, 'default'));
    ELSIF notify OR notify IS NULL
          AND current_setting('tenure.notifies', true) = pg_current_xact_id()::text THEN
        PERFORM pg_notify('tenure_available', coalesce(queue, 'default'));
    END IF;
END $$;

-- The same for every job, and nobody is notified.
CREATE OR REPLACE FUNCTION tenure.enqueue_any(
    kind text, payload jsonb, queue text, key text, mode text, priority integer,
    run_at timestamptz, after interval, max_attempts integer, overlap boolean, max_wait interval,
    lane text, lane_max_running integer, lane_min_interval interval, not_after timestamptz,
    expires_in interval, batch_id uuid, id uuid, payload_version integer, trace text,
    after_completed uuid[], after_ended uuid[], within interval,
    lane_burst integer, lane_weight integer, lane_strict boolean, after_keys jsonb, tags text[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_variable
DECLARE
    wrong CONSTANT text := CASE
        WHEN payload IS NULL
        THEN 'payload is null; leave it out, or give JSON (''null'' for JSON''s own null)'
        WHEN NOT isfinite(run_at)
        THEN format('run_at is %s; give a time in the years 1 to 9999, or leave it out', run_at)
        WHEN NOT isfinite(not_after)
        THEN format('not_after is %s; give a time in the years 1 to 9999, or leave it out',
                    not_after)
        WHEN payload_version NOT BETWEEN 1 AND 32767
        THEN format('payload_version is %s; give 1 to 32767', payload_version)
        WHEN priority NOT BETWEEN 0 AND 9
        THEN format('priority is %s; give 0 to 9', priority)
        WHEN lane IS NULL AND lane_max_running IS NOT NULL
        THEN 'lane_max_running is given, but no lane; give a lane'
        WHEN lane IS NULL AND lane_min_interval IS NOT NULL
        THEN 'lane_min_interval is given, but no lane; give a lane'
        WHEN lane IS NULL AND lane_burst IS NOT NULL
        THEN 'lane_burst is given, but no lane; give a lane'
        WHEN lane IS NULL AND lane_weight IS NOT NULL
        THEN 'lane_weight is given, but no lane; give a lane'
        WHEN lane_weight NOT BETWEEN 1 AND 100
        THEN format('lane_weight is %s; give 1 to 100', lane_weight)
        WHEN lane IS NULL AND lane_strict IS NOT NULL
        THEN 'lane_strict is given, but no lane; give a lane'
        WHEN jsonb_typeof(after_keys) <> 'array'
        THEN format('after_keys are given as %s; give an array of {"kind": kind, "key": key}',
                    jsonb_typeof(after_keys)) END;
BEGIN
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'a job''s %', wrong USING ERRCODE = 'TN003';
    END IF;
    RETURN QUERY SELECT e.* FROM tenure.enqueue_new(tenure.read_jobs(
        jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
            'id', id, 'kind', kind, 'queue', queue, 'key', key, 'mode', mode,
            'priority', priority, 'run_at', run_at, 'after', after, 'max_attempts', max_attempts,
            'not_after', not_after, 'expires_in', expires_in, 'overlap', overlap,
            'max_wait', max_wait, 'lane', lane, 'lane_max_running', lane_max_running,
            'lane_min_interval', lane_min_interval, 'batch_id', batch_id,
            'payload_version', payload_version, 'trace', trace, 'within', within,
            'lane_burst', lane_burst, 'lane_weight', lane_weight, 'lane_strict', lane_strict,
            'tags', to_jsonb(tags),
            'waits', (SELECT jsonb_agg(w.wait) FROM (
                SELECT jsonb_build_object('completed', c.id) AS wait
                FROM unnest(after_completed) AS c (id)
                UNION ALL SELECT jsonb_build_object('ended', c.id)
                FROM unnest(after_ended) AS c (id)
                UNION ALL SELECT jsonb_build_object('key', k.key)
                FROM jsonb_array_elements(after_keys) AS k (key)) AS w)))
        || jsonb_build_object('payload', payload)))) AS e;
END $$;
