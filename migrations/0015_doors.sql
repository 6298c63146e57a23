-- What programs without rights on the tables call: to enqueue, and to hear what became of it.
--
-- Why: a right on a table is a right on everybody's rows. Whoever may insert jobs could write a
-- result, and whoever may lock a key could end it (docs/decisions/roles.md). So these run as their
-- owner, as 0017 has it, check what the Swift library checks, and answer for ids only: no id, no
-- answer, and nothing is listed.
-- Locks: those of the functions that they call.

-- What a caller without the library hears of a value that the library would not have sent.
CREATE FUNCTION tenure.refuse_job() RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a job has a wrong kind, queue, priority, max_attempts, run time or trace'
        USING ERRCODE = 'TN003', HINT = 'give a kind and a queue of 1 to 128 bytes, a priority '
        'of 0 to 9, 1 to 10000 attempts, a finite time, and a trace of 4096 bytes at most';
END $$;

-- Adds one job that no other has to do with: no steps, no locks. A row with its id; none, and
-- nothing is done, where it asks for a kept row and a completed job of the queue leaves none: the
-- row is all that can tell of a lost answer. What is checked stands here and below, and not in a
-- function: that would cost as much as the row.
CREATE FUNCTION tenure.add_job(
    new_id uuid, new_kind text, new_queue text, payload jsonb, payload_version smallint,
    priority smallint, max_attempts integer, due timestamptz, after interval, batch_id uuid,
    parent_id uuid, trace text, if_kept boolean)
RETURNS SETOF uuid
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
    IF (octet_length(new_kind) BETWEEN 1 AND 128 AND octet_length(new_queue) BETWEEN 1 AND 128
        AND priority BETWEEN 0 AND 9 AND max_attempts BETWEEN 1 AND 10000
        AND tenure.is_sane(coalesce(due, tenure.moment_after(after)))
        AND coalesce(octet_length(trace), 1) BETWEEN 1 AND 4096) IS NOT TRUE THEN
        PERFORM tenure.refuse_job();
    END IF;
    IF octet_length(payload::text) > tenure.harmless_json() THEN
        PERFORM tenure.check_json('payload', payload);
    END IF;
    IF batch_id IS NOT NULL THEN
        PERFORM tenure.enter_batches(ARRAY[batch_id]);
    END IF;
    -- Its first part raises `synchronous_commit` from `off`, for the transaction.
    RETURN QUERY
    INSERT INTO tenure.job (
        id, kind, queue, payload, payload_version, priority, max_attempts, run_at, calendar,
        state, batch_id, parent_id, trace)
    SELECT new_id, new_kind, new_queue, payload, payload_version, priority, max_attempts,
           runs.at, coalesce(due > clock_timestamp(), false),
           CASE WHEN runs.at > clock_timestamp() THEN 'scheduled'
                ELSE 'available' END::tenure.job_state,
           batch_id, parent_id, trace
    FROM (SELECT coalesce(due, clock_timestamp() + after)) AS runs (at)
    WHERE (SELECT CASE current_setting('synchronous_commit')
                  WHEN 'off' THEN set_config('synchronous_commit', 'on', true)
                  ELSE 'on' END) = 'on'
      AND (NOT if_kept OR NOT EXISTS (
          SELECT FROM tenure.queue q WHERE q.name = new_queue AND NOT q.keep_completed))
    RETURNING id;
END $$;

-- Adds many of them, all or none; a row for each. Each run time is read as its row is made, so that
-- jobs of one call stand in the order of the call.
CREATE FUNCTION tenure.add_jobs(
    ids uuid[], kinds text[], queues text[], payloads jsonb[], versions smallint[],
    priorities smallint[], attempts integer[], dates timestamptz[], delays interval[],
    batches uuid[], parents uuid[], traces text[], if_kept boolean)
RETURNS SETOF uuid
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF if_kept AND EXISTS (SELECT FROM tenure.queue q
                           WHERE q.name = ANY (queues) AND NOT q.keep_completed) THEN
        RETURN;
    END IF;
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.check_json('payload', p.payload) FROM unnest(payloads) AS p (payload)
    WHERE octet_length(p.payload::text) > tenure.harmless_json();
    IF batches IS NOT NULL THEN
        PERFORM tenure.enter_batches(array(SELECT DISTINCT r.id FROM unnest(batches) AS r (id)
                                        WHERE r.id IS NOT NULL));
    END IF;
    RETURN QUERY
    INSERT INTO tenure.job (
        id, kind, queue, payload, payload_version, priority, max_attempts, run_at, calendar,
        state, batch_id, parent_id, trace)
    SELECT n.id, n.kind, n.queue, n.payload, n.payload_version, n.priority, n.max_attempts,
           due.at, coalesce(n.run_at > clock_timestamp(), false),
           CASE WHEN due.at > clock_timestamp() THEN 'scheduled'
                ELSE 'available' END::tenure.job_state,
           n.batch_id, n.parent_id, n.trace
    FROM unnest(ids, kinds, queues, payloads, versions, priorities, attempts, dates, delays,
                batches, parents, traces)
         AS n (id, kind, queue, payload, payload_version, priority, max_attempts, run_at,
               after, batch_id, parent_id, trace)
    CROSS JOIN LATERAL (
        SELECT coalesce(n.run_at, clock_timestamp() + n.after)) AS due (at)
    WHERE CASE WHEN octet_length(n.kind) BETWEEN 1 AND 128
                AND octet_length(n.queue) BETWEEN 1 AND 128
                AND n.priority BETWEEN 0 AND 9 AND n.max_attempts BETWEEN 1 AND 10000
                AND tenure.is_sane(coalesce(n.run_at, tenure.moment_after(n.after)))
                AND coalesce(octet_length(n.trace), 1) BETWEEN 1 AND 4096
               THEN true ELSE tenure.refuse_job() END
    RETURNING id;
END $$;

-- Enqueues jobs of any mode: what `enqueue_jobs` does for one jsonb array, for arrays of values.
-- No row, and nothing is done, where they ask for kept rows as above.
CREATE FUNCTION tenure.enqueue_many(
    ids uuid[], kinds text[], queues text[], keys text[], modes text[], payloads jsonb[],
    versions smallint[], priorities smallint[], dates timestamptz[], delays interval[],
    attempts integer[], overlapping boolean[], max_waits interval[], lanes text[],
    lane_maxima integer[], lane_intervals interval[], batches uuid[], parents uuid[], traces text[],
    last_dates timestamptz[], last_delays interval[], if_kept boolean, given boolean[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF if_kept AND EXISTS (SELECT FROM tenure.queue q
                           WHERE q.name = ANY (queues) AND NOT q.keep_completed) THEN
        RETURN;
    END IF;
    RETURN QUERY SELECT e.* FROM tenure.enqueue_new(array(
        SELECT (n.ordinal::integer,
                CASE WHEN n.key IS NULL THEN 0 ELSE row_number() OVER (
                    PARTITION BY n.kind, n.key ORDER BY n.ordinal) END,
                n.id, n.kind, n.queue, n.key,
                CASE WHEN n.key IS NOT NULL THEN coalesce(n.mode, 'superseding') END,
                NULL, NULL, n.payload, n.payload_version,
                n.priority, coalesce(n.run_at, tenure.moment_after(n.after)), n.max_attempts,
                coalesce(n.not_after, tenure.moment_after(n.expires_in)), n.overlap, n.max_wait,
                n.lane, n.lane_max_running, n.lane_min_interval,
                n.batch_id, n.parent_id, NULL, n.trace,
                coalesce(n.run_at > clock_timestamp(), false),
                coalesce(n.is_given, false))::tenure.new_job
        FROM unnest(ids, kinds, queues, keys, modes, payloads, versions, priorities, dates,
                    delays, attempts, overlapping, max_waits, lanes, lane_maxima, lane_intervals,
                    batches, parents, traces, last_dates, last_delays, given) WITH ORDINALITY
             AS n (id, kind, queue, key, mode, payload, payload_version, priority, run_at,
                   after, max_attempts, overlap, max_wait, lane, lane_max_running,
                   lane_min_interval, batch_id, parent_id, trace, not_after, expires_in,
                   is_given, ordinal))) AS e;
END $$;
