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
    was    tenure.subject;
    number bigint;
BEGIN
    IF (octet_length(new_kind) BETWEEN 1 AND 128 AND octet_length(new_queue) BETWEEN 1 AND 128
        AND octet_length(new_key) BETWEEN 1 AND 1024
        AND tenure.is_plain(concat(new_kind, new_queue, new_key))
        AND supersede.priority BETWEEN 0 AND 9 AND supersede.max_attempts BETWEEN 1 AND 10000
        AND tenure.is_sane(coalesce(due, tenure.moment_after(after)))
        AND coalesce(octet_length(supersede.trace), 1) BETWEEN 1 AND 4096) IS NOT TRUE THEN
        PERFORM tenure.refuse_job();
    END IF;
    IF if_kept AND EXISTS (SELECT FROM tenure.queue q
                           WHERE q.name = new_queue AND NOT q.keep_completed) THEN
        RETURN NULL;
    END IF;
    PERFORM tenure.require_durable_commit();
    IF octet_length(supersede.payload::text) > tenure.harmless_json() THEN
        PERFORM tenure.check_json('payload', supersede.payload);
    END IF;
    IF supersede.batch_id IS NOT NULL THEN
        PERFORM tenure.enter_batches(ARRAY[supersede.batch_id]);
    END IF;
    PERFORM tenure.lock_or_make_subjects(ARRAY[new_kind], ARRAY[new_key]);
    SELECT * INTO was FROM tenure.subject_of(new_kind, new_key);
    number := nextval('tenure.generation');
    IF was.issued IS NULL THEN
        INSERT INTO tenure.subject (kind, key, issued, floor)
        VALUES (new_kind, new_key, number, number);
    ELSE
        UPDATE tenure.subject s SET issued = number, floor = number, touched_at = clock_timestamp()
        WHERE s.kind = new_kind AND s.key = new_key AND s.issued = was.issued;
        PERFORM tenure.retire_pending(
            new_kind, new_key, greatest(was.floor, was.committed + 1), new_id);
    END IF;
    INSERT INTO tenure.job (
        id, batch_id, parent_id, generation, run_at, state, max_attempts, payload_version, priority,
        waits_for_key, calendar, kind, queue, key, payload, trace)
    SELECT new_id, supersede.batch_id, supersede.parent_id, number, runs.at,
           CASE WHEN blocked.yes THEN 'waiting'
                WHEN runs.at > clock_timestamp() THEN 'scheduled'
                ELSE 'available' END::tenure.job_state,
           supersede.max_attempts, supersede.payload_version, supersede.priority, blocked.yes,
           coalesce(due > clock_timestamp(), false), new_kind, new_queue, new_key,
           supersede.payload, supersede.trace
    FROM (SELECT coalesce(due, clock_timestamp() + after)) AS runs (at),
         (SELECT NOT overlap AND EXISTS (
              SELECT FROM tenure.job r
              WHERE r.kind = new_kind AND r.key = new_key AND r.state = 'running')
         ) AS blocked (yes);
    RETURN number;
END $$;
