-- For other languages: one job, by name. Raises TN003 where the Swift library would refuse.
-- With `notify` the commit itself wakes the workers: commits that do so go one after the other, and
-- where PostgreSQL's queue of notifications is full, the commit fails. It is the caller's choice.
CREATE OR REPLACE FUNCTION tenure.enqueue(
    kind text, payload jsonb DEFAULT '{}', queue text DEFAULT 'default', key text DEFAULT NULL,
    mode text DEFAULT NULL, priority integer DEFAULT 5, run_at timestamptz DEFAULT NULL,
    after interval DEFAULT NULL, max_attempts integer DEFAULT 25, overlap boolean DEFAULT true,
    max_wait interval DEFAULT NULL, lane text DEFAULT NULL, id uuid DEFAULT NULL,
    notify boolean DEFAULT false, trace text DEFAULT NULL, not_after timestamptz DEFAULT NULL,
    expires_in interval DEFAULT NULL)
RETURNS TABLE (job_id uuid, job_generation bigint, result text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    IF enqueue.mode NOT IN ('superseding', 'coalescing', 'keeping', 'debounced') THEN
        RAISE EXCEPTION 'mode "%" is unknown', enqueue.mode USING ERRCODE = 'TN003',
            HINT = 'use superseding, coalescing, keeping or debounced';
    END IF;
    IF enqueue.notify THEN
        PERFORM pg_notify('tenure_available', enqueue.queue);
    END IF;
    RETURN QUERY SELECT e.id, e.generation, e.result FROM tenure.enqueue_jobs(
        jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
            'id', enqueue.id, 'kind', enqueue.kind, 'queue', enqueue.queue, 'key', enqueue.key,
            'mode', enqueue.mode, 'priority', enqueue.priority, 'run_at', enqueue.run_at,
            'after', enqueue.after, 'max_attempts', enqueue.max_attempts,
            'not_after', enqueue.not_after, 'expires_in', enqueue.expires_in,
            'overlap', enqueue.overlap, 'max_wait', enqueue.max_wait, 'lane', enqueue.lane,
            'trace', enqueue.trace))
        || jsonb_build_object('payload', coalesce(enqueue.payload, '{}')))) AS e;
END $$;
