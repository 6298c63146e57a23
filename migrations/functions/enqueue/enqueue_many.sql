-- Enqueues jobs of any mode: what `enqueue_jobs` does for one jsonb array, for arrays of values.
-- No row, and nothing is done, where they ask for kept rows as above.
CREATE OR REPLACE FUNCTION tenure.enqueue_many(
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
                coalesce(n.mode, CASE WHEN n.key IS NOT NULL THEN 'superseding' END),
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
