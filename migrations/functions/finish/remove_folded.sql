-- As `remove_completed`, for runs that claim rows speak for: their own rows are as they were when
-- they were claimed. No lock on the claim row is needed: whoever ends one writes the runs of its
-- jobs on their own rows first, and such a row is not removed here.
CREATE OR REPLACE FUNCTION tenure.remove_folded(
    claims bigint[], ids uuid[], fences bigint[], places tid[], OUT done uuid[], OUT awaited uuid[])
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    unkept CONSTANT text[] := array(SELECT q.name FROM tenure.queue q WHERE NOT q.keep_completed);
    times  timestamptz[];
    more   uuid[];
    ends   uuid[];
    made   timestamptz[];
BEGIN
    done := '{}';
    IF unkept <> '{}' THEN
        WITH gone AS (
            DELETE FROM tenure.job j
            WHERE j.ctid = ANY (places)
              AND ((j.id, j.created_at) IN (
                  SELECT f.job_id, f.made FROM tenure.folded_run f
                  WHERE f.number = ANY (claims) AND ((f.job_id, f.fence) IN (
                      SELECT r.* FROM unnest(ids, fences) AS r)) IS TRUE)) IS TRUE
              AND j.runs = 0 AND j.fence IS NULL
              AND j.queue = ANY (unkept)
            RETURNING j.id, j.created_at, j.has_waiters
        )
        SELECT coalesce(array_agg(g.id), '{}'), array_agg(g.id) FILTER (WHERE g.has_waiters),
               array_agg(g.created_at) FILTER (WHERE g.has_waiters)
        INTO done, awaited, times FROM gone g;
    END IF;
    IF cardinality(done) < cardinality(ids) THEN
        WITH mine AS MATERIALIZED (
            SELECT f.* FROM tenure.folded_run f
            WHERE f.number = ANY (claims) AND ((f.job_id, f.fence) IN (
                SELECT r.* FROM unnest(ids, fences) AS r)) IS TRUE
        ), gone AS (
            DELETE FROM tenure.job j
            WHERE j.ctid = ANY (places)
              AND ((j.id, j.created_at) IN (SELECT m.job_id, m.made FROM mine m)) IS TRUE
              AND j.runs = 0 AND j.fence IS NULL
              AND j.queue <> ALL (unkept)
            RETURNING j.*
        ), kept AS (
            INSERT INTO tenure.job_history (
                id, parent_id, retry_of, fence, session_id, run_at, created_at, claimed_at,
                outcome, attempt, max_attempts, runs, payload_version, priority, kind, queue,
                payload, trace)
            SELECT g.id, g.parent_id, g.retry_of, m.fence, m.session_id, g.run_at, g.created_at,
                   m.claimed_at, 'completed', least(g.attempt, 2147483646) + 1, g.max_attempts, 1,
                   g.payload_version, g.priority, g.kind, g.queue, g.payload, g.trace
            FROM gone g JOIN mine m ON m.job_id = g.id
        )
        SELECT array_agg(g.id), array_agg(g.id) FILTER (WHERE g.has_waiters),
               array_agg(g.created_at) FILTER (WHERE g.has_waiters)
        INTO more, ends, made FROM gone g;
        done := done || more;
        awaited := awaited || ends;
        times := times || made;
    END IF;
    awaited := tenure.note_completed(awaited, times);
END $$;
