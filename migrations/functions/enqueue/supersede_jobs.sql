-- Superseding jobs without lanes and expiries, each of a key of its own: the steps of `enqueue_new`
-- for them, without arrays of rows, which cost as much as all that is written. Nothing is wrong
-- with them; their ids are new.
CREATE OR REPLACE FUNCTION tenure.supersede_jobs(
    ids uuid[], kinds text[], queues text[], keys text[], payloads jsonb[], versions smallint[],
    priorities smallint[], dates timestamptz[], delays interval[], attempts integer[],
    overlapping boolean[], batches uuid[], parents uuid[], traces text[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    numbers bigint[];
BEGIN
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.check_json('payload', p.payload) FROM unnest(payloads) AS p (payload)
    WHERE octet_length(p.payload::text) > tenure.harmless_json();
    IF batches IS NOT NULL THEN
        PERFORM tenure.enter_batches(array(SELECT DISTINCT r.id FROM unnest(batches) AS r (id)
                                        WHERE r.id IS NOT NULL));
    END IF;
    IF tenure.lock_or_make_subjects(kinds, keys) = cardinality(ids) THEN
        numbers := tenure.draw_generations(cardinality(ids));
        INSERT INTO tenure.subject (kind, key, issued, floor)
        SELECT n.kind, n.key, n.number, n.number
        FROM unnest(kinds, keys, numbers) AS n (kind, key, number) ORDER BY n.kind, n.key;
    ELSE
        numbers := tenure.raise_floors(kinds, keys, ids);
    END IF;
    INSERT INTO tenure.job (
        id, batch_id, parent_id, generation, run_at, state, max_attempts, payload_version, priority,
        waits_for_key, calendar, kind, queue, key, payload, trace)
    SELECT n.id, n.batch_id, n.parent_id, n.number, due.at,
           CASE WHEN blocked.yes THEN 'waiting'
                WHEN due.at > clock_timestamp() THEN 'scheduled'
                ELSE 'available' END::tenure.job_state,
           n.max_attempts, n.payload_version, n.priority, blocked.yes,
           coalesce(n.run_at > clock_timestamp(), false), n.kind, n.queue, n.key, n.payload, n.trace
    FROM unnest(ids, kinds, queues, keys, payloads, versions, priorities, dates, delays, attempts,
                overlapping, batches, parents, traces, numbers)
         AS n (id, kind, queue, key, payload, payload_version, priority, run_at, after,
               max_attempts, overlap, batch_id, parent_id, trace, number),
         LATERAL (SELECT coalesce(n.run_at, clock_timestamp() + n.after)) AS due (at),
         LATERAL (SELECT NOT coalesce(n.overlap, true) AND EXISTS (
                      SELECT FROM tenure.job r
                      WHERE r.kind = n.kind AND r.key = n.key AND r.state = 'running')
                 ) AS blocked (yes);
    RETURN QUERY SELECT a.ordinal::integer, a.id, a.number, 'enqueued'::text
                 FROM unnest(ids, numbers) WITH ORDINALITY AS a (id, number, ordinal);
END $$;

-- So many generations. The subjects are locked.
CREATE OR REPLACE FUNCTION tenure.draw_generations(n integer) RETURNS bigint[]
LANGUAGE plpgsql AS $$
BEGIN
    RETURN array(SELECT nextval('tenure.generation') FROM generate_series(1, n));
END $$;

-- Draws the generations of superseding jobs, each of a key of its own, some of whose subjects are
-- there; raises the floors, and retires what is pending below them. The subjects are locked.
CREATE OR REPLACE FUNCTION tenure.raise_floors(kinds text[], keys text[], ids uuid[])
RETURNS bigint[]
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    numbers bigint[] := tenure.draw_generations(cardinality(ids));
    issued  bigint[];
    oldest  bigint[];
BEGIN
    SELECT array_agg(s.issued ORDER BY n.ordinal),
           array_agg(greatest(s.floor, s.committed + 1) ORDER BY n.ordinal)
    INTO issued, oldest
    FROM unnest(kinds, keys) WITH ORDINALITY AS n (kind, key, ordinal)
    LEFT JOIN LATERAL tenure.subject_of(n.kind, n.key) AS s ON true;
    -- Its entry in the index names the row to change, whatever the statistics say; `committed`
    -- only carries the new number there.
    INSERT INTO tenure.subject AS s (kind, key, issued, floor, committed)
    SELECT n.kind, n.key, coalesce(n.issued, n.number), n.number,
           CASE WHEN n.issued IS NULL THEN 0 ELSE n.number END
    FROM unnest(kinds, keys, issued, numbers) AS n (kind, key, issued, number)
    ON CONFLICT (kind, key, issued) DO UPDATE
    SET issued = EXCLUDED.committed, floor = EXCLUDED.committed, touched_at = clock_timestamp();
    PERFORM tenure.retire_older(kinds, keys, oldest, ids);
    RETURN numbers;
END $$;
