-- Adds many of them, all or none; a row for each. Each run time is read as its row is made, so that
-- jobs of one call stand in the order of the call.
CREATE OR REPLACE FUNCTION tenure.add_jobs(
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
    -- All at once: one by one it would cost more than the rest of the checks.
    IF NOT tenure.is_plain(array_to_string(kinds || queues, '')) THEN
        PERFORM tenure.refuse_job();
    END IF;
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
                AND CASE WHEN n.run_at IS NOT NULL THEN tenure.is_sane(n.run_at)
                         ELSE tenure.is_bearable(n.after) END
                AND coalesce(octet_length(n.trace), 1) BETWEEN 1 AND 4096
               THEN true ELSE tenure.refuse_job() END
    RETURNING id;
END $$;
