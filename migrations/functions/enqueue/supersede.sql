-- One superseding job without a lane or an expiry: the steps of `enqueue_new` for it, without
-- arrays, at a third of their cost. Returns its generation; null, and nothing is done, where it
-- asks for a kept row and a completed job of the queue leaves none.
CREATE OR REPLACE FUNCTION tenure.supersede(
    new_id uuid, new_kind text, new_queue text, payload jsonb, payload_version smallint,
    priority smallint, max_attempts integer, due timestamptz, after interval, batch_id uuid,
    parent_id uuid, trace text, if_kept boolean, new_key text, overlap boolean)
RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    moment  timestamptz;
    runs_at timestamptz;
    number  bigint;
    was     bigint;
    oldest  bigint;
    retired integer;
BEGIN
    IF (octet_length(new_kind) BETWEEN 1 AND 128 AND octet_length(new_queue) BETWEEN 1 AND 128
        AND octet_length(new_key) BETWEEN 1 AND 1024
        AND tenure.is_plain(new_kind || new_queue || new_key)
        AND supersede.priority BETWEEN 0 AND 9 AND supersede.max_attempts BETWEEN 1 AND 10000
        AND CASE WHEN due IS NOT NULL THEN tenure.is_sane(due)
                 ELSE tenure.is_bearable(after) END
        AND coalesce(octet_length(supersede.trace), 1) BETWEEN 1 AND 4096) IS NOT TRUE THEN
        PERFORM tenure.refuse_job();
    END IF;
    IF if_kept AND EXISTS (SELECT FROM tenure.queue q
                           WHERE q.name = new_queue AND NOT q.keep_completed) THEN
        RETURN NULL;
    END IF;
    -- As tenure.require_durable_commit does it. Each statement here costs a tenth of the whole.
    IF current_setting('synchronous_commit') = 'off' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    IF octet_length(supersede.payload::text) > tenure.harmless_json() THEN
        PERFORM tenure.check_json('payload', supersede.payload);
    END IF;
    IF supersede.batch_id IS NOT NULL THEN
        PERFORM tenure.enter_batches(ARRAY[supersede.batch_id]);
    END IF;
    -- As tenure.lock_or_make_subjects does it, for one.
    INSERT INTO tenure.subject_lock AS l (kind, key) VALUES (new_kind, new_key)
    ON CONFLICT (kind, key) DO UPDATE SET made_at = l.made_at WHERE false;
    IF tenure.keeps_snapshot() THEN
        PERFORM tenure.require_current_view(ARRAY[new_kind], ARRAY[new_key]);
    END IF;
    SELECT s.issued, greatest(s.floor, s.committed + 1) INTO was, oldest
    FROM tenure.subject_of(new_kind, new_key) AS s;
    number := nextval('tenure.generation');
    IF was IS NULL THEN
        INSERT INTO tenure.subject (kind, key, issued, floor)
        VALUES (new_kind, new_key, number, number);
    ELSE
        UPDATE tenure.subject s SET issued = number, floor = number, touched_at = clock_timestamp()
        WHERE s.kind = new_kind AND s.key = new_key AND s.issued = was;
        retired := tenure.retire_key(new_kind, new_key, oldest, new_id);
    END IF;
    moment := clock_timestamp();
    runs_at := coalesce(due, moment + after);
    INSERT INTO tenure.job (
        id, batch_id, parent_id, generation, run_at, state, max_attempts, payload_version, priority,
        waits_for_key, calendar, kind, queue, key, payload, trace)
    SELECT new_id, supersede.batch_id, supersede.parent_id, number, runs_at,
           CASE WHEN blocked.yes THEN 'waiting'
                WHEN runs_at > moment THEN 'scheduled'
                ELSE 'available' END::tenure.job_state,
           supersede.max_attempts, supersede.payload_version, supersede.priority, blocked.yes,
           coalesce(due > moment, false), new_kind, new_queue, new_key,
           supersede.payload, supersede.trace
    FROM (SELECT NOT overlap AND EXISTS (
              SELECT FROM tenure.job r
              WHERE r.kind = new_kind AND r.key = new_key AND r.state = 'running')
         ) AS blocked (yes);
    RETURN number;
END $$;
