-- Runs: trees of jobs that are cancelled, counted and ended as one.
--
-- Why: who fans out work wants to stop all of it, to see how far it is, and to be told once, when
-- the last of it has ended. None of the three may cost the single job anything that all jobs of
-- the run would wait for (docs/decisions/trees.md).
--   * A run is cancelled by one mark. Claims start none of its jobs, verdicts and commits heed it;
--     the pending ones are moved to history afterwards, in batches.
--   * It is counted by index, when somebody asks.
--   * It has ended when no job of it is left. A job and its follow-ups change places in one commit,
--     and who comes from outside locks the run: so what one look finds true stays true, and
--     whoever looks after the last commit finds it. Looking again is always safe.
-- Locks: runs come before subjects: the user's rows → runs, by id → subjects → jobs → lanes.
-- Follow-ups of a run's own jobs take none: their parent is unfinished until they are there.
-- Only `settle_runs` locks a run against entering, and it skips what is locked.

CREATE TABLE tenure.run (
    id         uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ending_at  timestamptz,                    -- somebody cancelled it
    ended_at   timestamptz,                    -- nothing of it is left, and nothing more comes in
    is_whole   boolean NOT NULL DEFAULT false, -- started with its first jobs: it can end by itself
    ending_by  text,
    follow_up  jsonb                           -- what its end enqueues, as enqueue_jobs takes it
) WITH (fillfactor = 50);

-- What can end: few, however many have ended.
CREATE INDEX run_open ON tenure.run (id)
    WHERE ended_at IS NULL AND (is_whole OR ending_at IS NOT NULL);
-- What claims leave alone.
CREATE INDEX run_ending ON tenure.run (id) WHERE ending_at IS NOT NULL AND ended_at IS NULL;
-- For counts. Jobs without a run are not in it.
CREATE INDEX job_history_run ON tenure.job_history (run_id, outcome) WHERE run_id IS NOT NULL;

-- Who cancelled a run; nothing when nobody did.
CREATE FUNCTION tenure.run_ending(run uuid) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    SELECT coalesce(r.ending_by, '') FROM tenure.run r
    WHERE r.id = run AND r.ending_at IS NOT NULL
$$;

-- Lets jobs into runs that their enqueuer doesn't belong to, and keeps those runs from ending until
-- the transaction does. A run that nobody started is made here, and never ends by itself.
-- Raises TN004 where the run is over or cancelled.
CREATE FUNCTION tenure.enter_runs(ids uuid[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    shut tenure.run;
BEGIN
    INSERT INTO tenure.run (id)
    SELECT DISTINCT i.id FROM unnest(ids) AS i (id)
    WHERE NOT EXISTS (SELECT FROM tenure.run r WHERE r.id = i.id)
    ORDER BY i.id ON CONFLICT DO NOTHING;
    PERFORM FROM tenure.run r WHERE r.id = ANY (ids) ORDER BY r.id FOR KEY SHARE;
    -- In a statement of its own: it sees what was waited for.
    SELECT * INTO shut FROM tenure.run r
    WHERE r.id = ANY (ids) AND (r.ended_at IS NOT NULL OR r.ending_at IS NOT NULL) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'run % is %', shut.id,
            CASE WHEN shut.ending_at IS NOT NULL THEN 'cancelled' ELSE 'over' END
            USING ERRCODE = 'TN004', HINT = 'start a new run, or enqueue the job without one';
    END IF;
END $$;

-- Starts a run. Returns false, and writes nothing, when it was started before. What its end would
-- enqueue is looked at now, while somebody is there to be told.
CREATE FUNCTION tenure.start_run(run uuid, follow_up jsonb) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.require_durable_commit();
    IF follow_up IS NOT NULL THEN
        PERFORM tenure.check_jobs(tenure.read_jobs(follow_up)),
                tenure.check_json('payload', f.value -> 'payload')
        FROM jsonb_array_elements(follow_up) AS f;
    END IF;
    INSERT INTO tenure.run (id, is_whole, follow_up) VALUES (run, true, follow_up)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        RETURN true;
    ELSIF EXISTS (SELECT FROM tenure.run r WHERE r.id = run AND r.is_whole) THEN
        RETURN false;
    END IF;
    RAISE EXCEPTION 'run % has jobs already, and was not started', run
        USING ERRCODE = 'TN003', HINT = 'start it before its jobs are enqueued, or with another id';
END $$;

-- The runs of follow-ups that are not their parent's own are entered before any subject is locked.
CREATE FUNCTION tenure.enter_other_runs(follow_ups jsonb, parent uuid) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    others uuid[] := array(
        SELECT DISTINCT f.run_id FROM jsonb_to_recordset(follow_ups) AS f (run_id uuid)
        WHERE f.run_id IS NOT NULL);
BEGIN
    -- A parent that is gone makes the result late: its end says so.
    IF others <> '{}' AND EXISTS (SELECT FROM tenure.job j WHERE j.id = parent) THEN
        others := array(
            SELECT o.id FROM unnest(others) AS o (id)
            WHERE NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = parent AND j.run_id = o.id));
        IF others <> '{}' THEN
            PERFORM tenure.enter_runs(others);
        END IF;
    END IF;
END $$;

-- Whatever a run's job came to say, its cancelled run has the first word. The jobs are locked.
CREATE FUNCTION tenure.heed_runs(endings tenure.ending[], locked tenure.job[])
RETURNS tenure.ending[]
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN array(
        SELECT CASE WHEN c.whom IS NULL THEN e
                    ELSE (e.id, e.fence, 'cancelled', NULL, NULL, c.whom, NULL, NULL, NULL, NULL)
                         ::tenure.ending END
        FROM unnest(endings) AS e
        LEFT JOIN unnest(locked) AS l ON l.id = e.id AND l.fence = e.fence
        LEFT JOIN LATERAL tenure.run_ending(l.run_id) AS c (whom) ON true);
END $$;

-- Cancels a run, at once and for good: none of its jobs starts or commits any more. Returns whether
-- it was there and not over. Pending jobs are still to be retired.
CREATE FUNCTION tenure.cancel_run(run uuid, by_whom text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.require_durable_commit();
    UPDATE tenure.run r
    SET ending_at = coalesce(r.ending_at, clock_timestamp()),
        ending_by = coalesce(r.ending_by, by_whom)
    WHERE r.id = run AND r.ended_at IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM pg_notify('tenure_endings', 'run:' || run);
    RETURN true;
END $$;

-- Moves pending jobs of a cancelled run into history, at most so many; returns how many. What is
-- locked just then, or whose key is, is left for another round: nobody's open transaction delays
-- the others. A job that is being claimed just now runs, and its verdict says what there is to say.
CREATE FUNCTION tenure.retire_run(run uuid, at_most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    whom    text := (SELECT e FROM tenure.run_ending(run) AS e);
    ids     uuid[];
    busy    uuid[];
    retired integer;
BEGIN
    IF whom IS NULL THEN
        RETURN 0;
    END IF;
    PERFORM tenure.require_durable_commit();
    ids := array(SELECT j.id FROM tenure.job j
                 WHERE j.run_id = run AND j.state <> 'running' ORDER BY j.id LIMIT at_most);
    busy := tenure.lock_subjects(ids, NULL, false);
    WITH stale AS MATERIALIZED (
        SELECT l.id FROM (
            SELECT i.id FROM unnest(ids) AS i (id) WHERE i.id <> ALL (busy) ORDER BY i.id) AS i
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j WHERE j.id = i.id AND j.state <> 'running'
            FOR UPDATE SKIP LOCKED) AS l
    ), gone AS (
        DELETE FROM tenure.job j WHERE j.id = ANY (array(SELECT s.id FROM stale AS s))
        RETURNING j.*
    )
    INSERT INTO tenure.job_history (
        id, run_id, parent_id, retry_of, generation, run_at, created_at, outcome, attempt,
        max_attempts, runs, payload_version, priority, kind, queue, key, lane, payload, reason,
        trace)
    SELECT g.id, g.run_id, g.parent_id, g.retry_of, g.generation, g.run_at, g.created_at,
           'cancelled', g.attempt, g.max_attempts, g.runs, g.payload_version, g.priority, g.kind,
           g.queue, g.key, g.lane, g.payload, whom, g.trace
    FROM gone g;
    GET DIAGNOSTICS retired = ROW_COUNT;
    RETURN retired;
END $$;

-- Ends those of the runs that have no job left, each once, and enqueues what their ends ask for.
-- Returns them. From the newest job: those that have ended lie before it as a rule.
CREATE FUNCTION tenure.settle_runs(ids uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    candidate uuid;
    mine      tenure.run;
BEGIN
    FOR candidate IN
        SELECT i.id FROM unnest(ids) AS i (id)
        WHERE NOT EXISTS (SELECT FROM (
            SELECT FROM tenure.job j WHERE j.run_id = i.id ORDER BY j.id DESC LIMIT 1) AS j)
        ORDER BY i.id
    LOOP
        SELECT * INTO mine FROM tenure.run r
        WHERE r.id = candidate AND r.ended_at IS NULL AND (r.is_whole OR r.ending_at IS NOT NULL)
        FOR UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        -- Under its lock, in a statement of its own: who came from outside meanwhile is seen.
        CONTINUE WHEN EXISTS (SELECT FROM tenure.job j WHERE j.run_id = candidate);
        PERFORM tenure.require_durable_commit();
        UPDATE tenure.run r SET ended_at = clock_timestamp() WHERE r.id = candidate;
        IF mine.follow_up IS NOT NULL THEN
            PERFORM FROM tenure.enqueue_jobs(mine.follow_up);
            PERFORM pg_notify('tenure_available', coalesce(f.queue, 'default'))
            FROM jsonb_to_recordset(mine.follow_up) AS f (queue text);
        END IF;
        PERFORM pg_notify('tenure_endings', 'run:' || candidate);
        RETURN NEXT candidate;
    END LOOP;
END $$;

-- What nobody else came to do: retires the pending jobs of cancelled runs and ends runs whose last
-- job ended unseen. One caller at a time; `after` is the id it has got to. Returns where to go on,
-- null at the end of a round.
CREATE FUNCTION tenure.sweep_runs(after uuid, at_most integer) RETURNS uuid
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    open uuid[];
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('tenure.sweep_runs')) THEN
        RETURN after;
    END IF;
    open := array(
        SELECT r.id FROM tenure.run r
        WHERE r.ended_at IS NULL AND (r.is_whole OR r.ending_at IS NOT NULL)
          AND r.id > coalesce(after, '00000000-0000-0000-0000-000000000000')
        ORDER BY r.id LIMIT at_most);
    PERFORM tenure.retire_run(r.id, 5000) FROM tenure.run r
    WHERE r.id = ANY (open) AND r.ending_at IS NOT NULL;
    PERFORM FROM tenure.settle_runs(open);
    RETURN CASE WHEN cardinality(open) = at_most THEN open[at_most] END;
END $$;

-- Forgets runs that ended so long ago, and those that nobody started and that have no jobs.
CREATE FUNCTION tenure.drop_runs(idle interval, at_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    dropped integer;
BEGIN
    DELETE FROM tenure.run r WHERE r.id IN (
        SELECT o.id FROM tenure.run o
        WHERE o.created_at < clock_timestamp() - idle
          AND (o.ended_at < clock_timestamp() - idle OR NOT o.is_whole AND o.ending_at IS NULL)
          AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.run_id = o.id)
        LIMIT at_most FOR UPDATE SKIP LOCKED)
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.run_id = r.id);
    GET DIAGNOSTICS dropped = ROW_COUNT;
    RETURN dropped;
END $$;
