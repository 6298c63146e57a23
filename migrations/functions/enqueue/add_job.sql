-- What programs without rights on the tables call: to enqueue, and to hear what became of it.
--
-- Why: a right on a table is a right on everybody's rows. Whoever may insert jobs could write a
-- result, and whoever may lock a key could end it (docs/decisions/roles.md). So these run as their
-- owner, as rights.sql has it, check what the Swift library checks, and answer for ids only: no
-- id, no answer, and nothing is listed.
-- Locks: those of the functions that they call.

-- Adds one job that no other has to do with: no steps, no locks. A row with its id; none, and
-- nothing is done, where it asks for a kept row and a completed job of the queue leaves none: the
-- row is all that can tell of a lost answer. What is checked stands here and below, and not in a
-- function: that would cost as much as the row.
CREATE OR REPLACE FUNCTION tenure.add_job(
    new_id uuid, new_kind text, new_queue text, payload jsonb, payload_version smallint,
    priority smallint, max_attempts integer, due timestamptz, after interval, batch_id uuid,
    parent_id uuid, trace text, if_kept boolean)
RETURNS SETOF uuid
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    moment  timestamptz;
    runs_at timestamptz;
BEGIN
    IF (octet_length(new_kind) BETWEEN 1 AND 128 AND octet_length(new_queue) BETWEEN 1 AND 128
        AND tenure.is_plain(new_kind || new_queue)
        AND priority BETWEEN 0 AND 9 AND max_attempts BETWEEN 1 AND 10000
        AND CASE WHEN due IS NOT NULL THEN tenure.is_sane(due)
                 ELSE tenure.is_bearable(after) END
        AND coalesce(octet_length(trace), 1) BETWEEN 1 AND 4096) IS NOT TRUE THEN
        PERFORM tenure.refuse_job();
    END IF;
    IF octet_length(payload::text) > tenure.harmless_json() THEN
        PERFORM tenure.check_json('payload', payload);
    END IF;
    IF batch_id IS NOT NULL THEN
        PERFORM tenure.enter_batches(ARRAY[batch_id]);
    END IF;
    -- As tenure.require_durable_commit does it, without a statement.
    IF current_setting('synchronous_commit') = 'off' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    moment := clock_timestamp();
    runs_at := coalesce(due, moment + after);
    INSERT INTO tenure.job (
        id, kind, queue, payload, payload_version, priority, max_attempts, run_at, calendar,
        state, batch_id, parent_id, trace)
    SELECT new_id, new_kind, new_queue, payload, payload_version, priority, max_attempts,
           runs_at, coalesce(due > moment, false),
           CASE WHEN runs_at > moment THEN 'scheduled' ELSE 'available' END::tenure.job_state,
           batch_id, parent_id, trace
    WHERE NOT if_kept OR NOT EXISTS (
        SELECT FROM tenure.queue q WHERE q.name = new_queue AND NOT q.keep_completed);
    IF FOUND THEN
        RETURN NEXT new_id;
    END IF;
END $$;

-- What a caller without the library hears of a value that the library would not have sent.
CREATE OR REPLACE FUNCTION tenure.refuse_job() RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a job has a wrong kind, queue, priority, max_attempts, run time or trace'
        USING ERRCODE = 'TN003', HINT = 'give a kind and a queue of 1 to 128 bytes, a priority '
        'of 0 to 9, 1 to 10000 attempts, a finite time, a trace of 4096 bytes at most, and no '
        'control characters in names';
END $$;
