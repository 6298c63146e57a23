-- Completes unkeyed jobs that wrote nothing: the hot path, one call for many. `places` is where the
-- claim left them. Returns those that it did not complete (`is_left`): they are late, have an
-- ending, or are locked just then; and those that it did for which others wait: `settle_ends` is to
-- be called with them. Whoever locks one of them holds up the others for 100 ms at most.
CREATE OR REPLACE FUNCTION tenure.complete_group(ids uuid[], fences bigint[], places tid[])
RETURNS TABLE (id uuid, is_left boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    claims bigint[];
    done   uuid[] := '{}';
    ends   uuid[] := '{}';
    free   tid[];
BEGIN
    PERFORM tenure.require_durable_commit();
    claims := array(
        SELECT c.number FROM tenure.claim_row c
        WHERE c.number = ANY (array(
            SELECT DISTINCT tenure.claim_of(f.fence) FROM unnest(fences) AS f (fence))));
    IF places IS NOT NULL THEN
        done := tenure.try_removing(ids, fences, places, claims, false);
    END IF;
    IF cardinality(done) = cardinality(ids) THEN
        RETURN;
    END IF;
    IF places IS NOT NULL THEN
        ends := tenure.complete_awaited(ids, fences, places, claims);
        done := done || ends;
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
        done := done || tenure.remove_completed(ids, fences, free, false);
        ends := ends || tenure.complete_awaited(ids, fences, free, '{}');
        done := done || ends;
    END IF;
    RETURN QUERY
        SELECT r.id, r.id <> ALL (done) FROM unnest(ids) AS r (id)
        WHERE r.id <> ALL (done) OR r.id = ANY (ends);
END $$;

-- The same for releases that know of no waiters: whom others wait for is settled by a sweep.
CREATE OR REPLACE FUNCTION tenure.complete_runs(
    ids uuid[], fences bigint[], places tid[] DEFAULT NULL)
RETURNS SETOF uuid
LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT g.id FROM tenure.complete_group(ids, fences, places) AS g WHERE g.is_left;
END $$;

-- Completes those of these runs, where their rows were last seen, for which others wait, and writes
-- their ends down for them; returns whom it completed.
CREATE OR REPLACE FUNCTION tenure.complete_awaited(
    ids uuid[], fences bigint[], places tid[], claims bigint[])
RETURNS uuid[]
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    found uuid[];
    times timestamptz[];
    done  uuid[];
BEGIN
    SELECT array_agg(j.id), array_agg(j.created_at) INTO found, times
    FROM tenure.job j
    WHERE j.ctid = ANY (places) AND (j.id IN (SELECT r.id FROM unnest(ids) AS r (id))) IS TRUE
      AND j.has_waiters;
    IF found IS NULL THEN
        RETURN '{}';
    END IF;
    done := tenure.try_removing(ids, fences, places, claims, true);
    INSERT INTO tenure.job_end (id, made, outcome)
    SELECT u.id, u.made, 'completed' FROM unnest(found, times) AS u (id, made)
    WHERE u.id = ANY (done) ORDER BY u.id
    ON CONFLICT (id, made) DO NOTHING;
    RETURN done;
END $$;

-- Removes unkeyed runs that were completed, where their rows were last seen; into history, unless
-- their queue keeps nothing. Returns whom it removed: none of a cancelled batch. It waits for
-- whoever has locked one of them.
-- A place is only a hint: what lies there now must have the id and the fence. `awaited`: those for
-- which others wait, and whose ends the caller writes down; else those for which nobody does.
CREATE OR REPLACE FUNCTION tenure.remove_completed(
    ids uuid[], fences bigint[], places tid[], awaited boolean)
RETURNS uuid[]
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    unkept text[] := array(SELECT q.name FROM tenure.queue q WHERE NOT q.keep_completed);
    gone   uuid[] := '{}';
    kept   uuid[] := '{}';
BEGIN
    -- `IS TRUE` keeps the runs a hashed list beside the places: as a join it could be turned round.
    IF unkept <> '{}' THEN
        WITH gone AS (
            DELETE FROM tenure.job j
            WHERE j.ctid = ANY (places)
              AND ((j.id, j.fence) IN (SELECT r.* FROM unnest(ids, fences) AS r)) IS TRUE
              AND j.ending_at IS NULL AND j.key IS NULL AND j.has_waiters = awaited
              AND j.queue = ANY (unkept)
              -- Asked once, and not before a job of a batch is met.
              AND (j.batch_id IS NULL OR j.batch_id <> ALL (array(
                  SELECT r.id FROM tenure.batch r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
            RETURNING j.id)
        SELECT coalesce(array_agg(g.id), '{}') INTO gone FROM gone g;
    END IF;
    IF cardinality(gone) < cardinality(ids) THEN
        WITH gone AS (
            DELETE FROM tenure.job j
            WHERE j.ctid = ANY (places)
              AND ((j.id, j.fence) IN (SELECT r.* FROM unnest(ids, fences) AS r)) IS TRUE
              AND j.ending_at IS NULL AND j.key IS NULL AND j.has_waiters = awaited
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
            RETURNING id)
        SELECT coalesce(array_agg(k.id), '{}') INTO kept FROM kept k;
    END IF;
    RETURN gone || kept;
END $$;

-- That, and the same for runs that claim rows speak for (`remove_folded`), in good hope: nobody
-- locks a completed run for long, as a rule. Where somebody does, nothing is removed.
CREATE OR REPLACE FUNCTION tenure.try_removing(
    ids uuid[], fences bigint[], places tid[], claims bigint[], awaited boolean)
RETURNS uuid[]
LANGUAGE plpgsql SET lock_timeout = '50ms' AS $$
DECLARE
    done uuid[] := '{}';
BEGIN
    IF claims <> '{}' THEN
        done := tenure.remove_folded(claims, ids, fences, places, awaited);
    END IF;
    IF cardinality(done) < cardinality(ids) THEN
        done := done || tenure.remove_completed(ids, fences, places, awaited);
    END IF;
    RETURN done;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    RETURN '{}';
END $$;
