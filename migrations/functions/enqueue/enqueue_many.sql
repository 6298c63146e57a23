-- Enqueues jobs of any mode: what `enqueue_jobs` does for one jsonb array, for arrays of values.
-- No row, and nothing is done, where they ask for kept rows as above.
CREATE OR REPLACE FUNCTION tenure.enqueue_many(
    ids uuid[], kinds text[], queues text[], keys text[], modes text[], payloads jsonb[],
    versions smallint[], priorities smallint[], dates timestamptz[], delays interval[],
    attempts integer[], overlapping boolean[], max_waits interval[], lanes text[],
    lane_maxima integer[], lane_intervals interval[], batches uuid[], parents uuid[], traces text[],
    last_dates timestamptz[], last_delays interval[], if_kept boolean, given boolean[],
    waits jsonb[] DEFAULT NULL, withins interval[] DEFAULT NULL,
    lane_bursts integer[] DEFAULT NULL, lane_weights smallint[] DEFAULT NULL,
    strict_lanes boolean[] DEFAULT NULL, tags jsonb[] DEFAULT NULL)
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF if_kept AND EXISTS (SELECT FROM tenure.queue q
                           WHERE q.name = ANY (queues) AND NOT q.keep_completed) THEN
        RETURN;
    END IF;
    -- What most bulks of keys are: all superseding, each of a key of its own. One with which
    -- something is wrong goes the long way, which says what.
    IF 'superseding' = ALL (modes)
       AND num_nonnulls(max_waits, lanes, lane_maxima, lane_intervals, last_dates, last_delays,
                        given, waits, withins, lane_bursts, lane_weights, strict_lanes, tags) = 0
       AND tenure.are_sound(ids, kinds, queues, keys, versions, priorities, dates, delays,
                            attempts, traces) THEN
        RETURN QUERY SELECT e.* FROM tenure.supersede_jobs(
            ids, kinds, queues, keys, payloads, versions, priorities, dates, delays, attempts,
            overlapping, batches, parents, traces) AS e;
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
                coalesce(n.not_after, tenure.moment_after(n.expires_in)),
                coalesce(n.overlap, true), n.max_wait,
                n.lane, n.lane_max_running, n.lane_min_interval,
                n.batch_id, n.parent_id, NULL, n.trace,
                coalesce(n.run_at > clock_timestamp(), false),
                coalesce(n.is_given, false), tenure.some_waits(n.waits),
                n.within, n.lane_burst, n.lane_weight, n.lane_strict,
                tenure.read_tags(n.tags))::tenure.new_job
        FROM unnest(ids, kinds, queues, keys, modes, payloads, versions, priorities, dates,
                    delays, attempts, overlapping, max_waits, lanes, lane_maxima, lane_intervals,
                    batches, parents, traces, last_dates, last_delays, given, waits, withins,
                    lane_bursts, lane_weights, strict_lanes, tags)
             WITH ORDINALITY
             AS n (id, kind, queue, key, mode, payload, payload_version, priority, run_at,
                   after, max_attempts, overlap, max_wait, lane, lane_max_running,
                   lane_min_interval, batch_id, parent_id, trace, not_after, expires_in,
                   is_given, waits, within, lane_burst, lane_weight, lane_strict, tags,
                   ordinal))) AS e;
END $$;

-- Whether each of them has a key that no other has, and `check_jobs` would refuse none.
CREATE OR REPLACE FUNCTION tenure.are_sound(
    ids uuid[], kinds text[], queues text[], keys text[], versions smallint[],
    priorities smallint[], dates timestamptz[], delays interval[], attempts integer[],
    traces text[]) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    RETURN tenure.is_plain(array_to_string(kinds || queues || keys, ''))
        AND NOT EXISTS (SELECT FROM unnest(kinds, keys) AS n (kind, key)
                        GROUP BY n.kind, n.key HAVING count(*) > 1)
        AND (SELECT bool_and((
                 octet_length(n.kind) BETWEEN 1 AND 128
                 AND octet_length(n.queue) BETWEEN 1 AND 128
                 AND octet_length(n.key) BETWEEN 1 AND 1024
                 AND n.priority BETWEEN 0 AND 9 AND n.max_attempts BETWEEN 1 AND 10000
                 AND n.version >= 1
                 AND CASE WHEN n.run_at IS NOT NULL THEN tenure.is_sane(n.run_at)
                          ELSE tenure.is_bearable(n.after) END
                 AND coalesce(octet_length(n.trace), 1) BETWEEN 1 AND 4096
                 AND n.id IS NOT NULL) IS TRUE)
             FROM unnest(ids, kinds, queues, keys, versions, priorities, dates, delays, attempts,
                         traces)
                  AS n (id, kind, queue, key, version, priority, run_at, after, max_attempts,
                        trace));
END $$;
