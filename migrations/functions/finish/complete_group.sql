-- Completes unkeyed jobs that wrote nothing: the hot path, one call for many. `places` is where the
-- claim left them. Returns those that it did not complete (`is_left`): they are late, have an
-- ending, or are locked just then; and of those that it did, for which others wait, with whom
-- `settle_ends` is to be called. Each who has locked one holds up the others for 50 ms at most.
CREATE OR REPLACE FUNCTION tenure.complete_group(
    ids uuid[], fences bigint[], places tid[] DEFAULT NULL)
RETURNS TABLE (id uuid, is_left boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    claims bigint[];
    done   uuid[] := '{}';
    ends   uuid[];
    free   tid[];
    more   uuid[];
BEGIN
    PERFORM tenure.require_durable_commit();
    claims := array(
        SELECT c.number FROM tenure.claim_row c
        WHERE c.number = ANY (array(
            SELECT DISTINCT tenure.claim_of(f.fence) FROM unnest(fences) AS f (fence))));
    IF places IS NOT NULL THEN
        SELECT r.* INTO done, ends FROM tenure.try_removing(ids, fences, places, claims) AS r;
        IF ends <> '{}' THEN
            RETURN QUERY SELECT e.id, false FROM unnest(ends) AS e (id);
        END IF;
    END IF;
    IF cardinality(done) = cardinality(ids) THEN
        RETURN;
    END IF;
    IF claims <> '{}' THEN
        PERFORM tenure.write_runs(claims, array(
            SELECT r.id FROM unnest(ids) AS r (id) WHERE r.id <> ALL (done)), fences, false);
    END IF;
    -- The careful way, for those that are left: by id, skipping what is locked.
    free := array(
        SELECT l.place FROM (
            SELECT r.id, r.fence FROM unnest(ids, fences) AS r (id, fence)
            WHERE r.id <> ALL (done) ORDER BY r.id) AS r
        CROSS JOIN LATERAL (
            SELECT j.ctid AS place FROM tenure.job j
            WHERE j.id = r.id AND j.fence = r.fence AND j.ending_at IS NULL AND j.key IS NULL
            FOR UPDATE SKIP LOCKED) AS l);
    IF free <> '{}' THEN
        SELECT r.* INTO more, ends FROM tenure.remove_completed(ids, fences, free) AS r;
        done := done || more;
        RETURN QUERY SELECT e.id, false FROM unnest(ends) AS e (id);
    END IF;
    RETURN QUERY SELECT r.id, true FROM unnest(ids) AS r (id) WHERE r.id <> ALL (done);
END $$;

-- Removes unkeyed runs that were completed, where their rows were last seen; into history, unless
-- their queue keeps nothing; and writes the ends of those down for which others wait. Returns whom
-- it removed, and of these the ones whose ends are to be settled: none of a cancelled batch. It
-- waits for whoever has locked one of them.
-- A place is only a hint: what lies there now must have the id and the fence.
CREATE OR REPLACE FUNCTION tenure.remove_completed(
    ids uuid[], fences bigint[], places tid[], OUT done uuid[], OUT awaited uuid[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    unkept text[] := array(SELECT q.name FROM tenure.queue q WHERE NOT q.keep_completed);
    times  timestamptz[];
    more   uuid[];
    ends   uuid[];
    made   timestamptz[];
BEGIN
    done := '{}';
    -- `IS TRUE` keeps the runs a hashed list beside the places: as a join it could be turned round.
    IF unkept <> '{}' THEN
        WITH gone AS (
            DELETE FROM tenure.job j
            WHERE j.ctid = ANY (places)
              AND ((j.id, j.fence) IN (SELECT r.* FROM unnest(ids, fences) AS r)) IS TRUE
              AND j.ending_at IS NULL AND j.key IS NULL
              AND j.queue = ANY (unkept)
              -- Asked once, and not before a job of a batch is met.
              AND (j.batch_id IS NULL OR j.batch_id <> ALL (array(
                  SELECT r.id FROM tenure.batch r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
            RETURNING j.id, j.created_at, j.has_waiters
        )
        SELECT coalesce(array_agg(g.id), '{}'), array_agg(g.id) FILTER (WHERE g.has_waiters),
               array_agg(g.created_at) FILTER (WHERE g.has_waiters)
        INTO done, awaited, times FROM gone g;
    END IF;
    IF cardinality(done) < cardinality(ids) THEN
        WITH gone AS (
            DELETE FROM tenure.job j
            WHERE j.ctid = ANY (places)
              AND ((j.id, j.fence) IN (SELECT r.* FROM unnest(ids, fences) AS r)) IS TRUE
              AND j.ending_at IS NULL AND j.key IS NULL
              AND j.queue <> ALL (unkept)
              AND (j.batch_id IS NULL OR j.batch_id <> ALL (array(
                  SELECT r.id FROM tenure.batch r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
            RETURNING j.*
        ), kept AS (
            INSERT INTO tenure.job_history (
                id, batch_id, parent_id, retry_of, fence, session_id, run_at, created_at,
                claimed_at, outcome, attempt, max_attempts, runs, payload_version, priority, kind,
                queue, lane, payload, trace)
            SELECT g.id, g.batch_id, g.parent_id, g.retry_of, g.fence, g.session_id, g.run_at,
                   g.created_at, g.claimed_at, 'completed', g.attempt, g.max_attempts, g.runs,
                   g.payload_version, g.priority, g.kind, g.queue, g.lane, g.payload, g.trace
            FROM gone g
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

-- That, and the same for runs that claim rows speak for (`remove_folded`), in good hope: nobody
-- locks a completed run for long, as a rule. Where somebody does, nothing is removed.
CREATE OR REPLACE FUNCTION tenure.try_removing(
    ids uuid[], fences bigint[], places tid[], claims bigint[],
    OUT done uuid[], OUT awaited uuid[])
LANGUAGE plpgsql SET lock_timeout = '50ms' AS $$
BEGIN
    done := '{}';
    awaited := '{}';
    IF claims <> '{}' THEN
        SELECT r.* INTO done, awaited FROM tenure.remove_folded(claims, ids, fences, places) AS r;
    END IF;
    IF cardinality(done) < cardinality(ids) THEN
        SELECT try_removing.done || r.done, try_removing.awaited || r.awaited INTO done, awaited
        FROM tenure.remove_completed(ids, fences, places) AS r;
    END IF;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    done := '{}';
    awaited := '{}';
END $$;
