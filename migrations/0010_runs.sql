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
    follow_up  jsonb,                          -- what its end enqueues, as enqueue_jobs takes it
    refused    text                            -- why its end could not enqueue that
) WITH (fillfactor = 50);

-- What can end: few, however many have ended.
CREATE INDEX run_open ON tenure.run (id)
    WHERE ended_at IS NULL AND (is_whole OR ending_at IS NOT NULL);
-- What claims leave alone.
CREATE INDEX run_ending ON tenure.run (id) WHERE ending_at IS NOT NULL AND ended_at IS NULL;
-- What the doctor asks for.
CREATE INDEX run_refused ON tenure.run (ended_at) WHERE refused IS NOT NULL;
-- For counts. Jobs without a run are not in it.
CREATE INDEX job_history_run ON tenure.job_history (run_id, outcome) WHERE run_id IS NOT NULL;

-- Who cancelled a run; nothing when nobody did.
CREATE FUNCTION tenure.run_ending(run uuid) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    SELECT coalesce(r.ending_by, '') FROM tenure.run r
    WHERE r.id = run AND r.ending_at IS NOT NULL
$$;

-- For whoever keeps a snapshot: fails (40001) where one of the runs was cancelled or ended since;
-- else he would let jobs into it, or commit one of its. Who cancels it now waits for him.
CREATE FUNCTION tenure.require_current_runs(ids uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tenure.run r WHERE r.id = ANY (ids) ORDER BY r.id FOR SHARE;
END $$;

-- The same for the runs that jobs belong to.
CREATE FUNCTION tenure.require_current_runs_of(jobs uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.require_current_runs(array(
        SELECT j.run_id FROM (
            SELECT j.run_id FROM tenure.job j WHERE j.id = ANY (jobs) OFFSET 0) AS j
        WHERE j.run_id IS NOT NULL));
END $$;

-- Lets jobs into runs that their enqueuer doesn't belong to, and keeps those runs from ending until
-- the transaction does. A run that nobody started is made here, and never ends by itself.
-- Raises TN004 where the run is over or cancelled.
CREATE FUNCTION tenure.enter_runs(ids uuid[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    wanted CONSTANT bigint := (SELECT count(DISTINCT i.id) FROM unnest(ids) AS i (id));
    shut   tenure.run;
    shared bigint;
BEGIN
    LOOP
        INSERT INTO tenure.run (id)
        SELECT DISTINCT i.id FROM unnest(ids) AS i (id)
        WHERE NOT EXISTS (SELECT FROM tenure.run r WHERE r.id = i.id)
        ORDER BY i.id ON CONFLICT DO NOTHING;
        PERFORM FROM tenure.run r WHERE r.id = ANY (ids) ORDER BY r.id FOR KEY SHARE;
        GET DIAGNOSTICS shared = ROW_COUNT;
        EXIT WHEN shared = wanted;  -- one was dropped meanwhile
    END LOOP;
    IF tenure.keeps_snapshot() THEN
        PERFORM tenure.require_current_runs(ids);
    END IF;
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

-- The runs of follow-ups that are not a parent's own are entered before any subject is locked.
CREATE FUNCTION tenure.enter_other_runs(follow_ups jsonb, parents uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    others uuid[] := array(
        SELECT DISTINCT f.run_id FROM jsonb_to_recordset(follow_ups) AS f (run_id uuid)
        WHERE f.run_id IS NOT NULL);
BEGIN
    -- A parent that is gone makes the result late: its end says so.
    IF others <> '{}' AND NOT EXISTS (
        SELECT FROM unnest(parents) AS p (id)
        WHERE NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = p.id)) THEN
        others := array(
            SELECT o.id FROM unnest(others) AS o (id)
            WHERE NOT EXISTS (
                SELECT FROM tenure.job j WHERE j.id = ANY (parents) AND j.run_id = o.id));
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
-- it was there and not over. Pending jobs are still to be retired, and the workers to be told: a
-- notification is a transaction of its own.
CREATE FUNCTION tenure.cancel_run(run uuid, by_whom text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.require_durable_commit();
    UPDATE tenure.run r
    SET ending_at = coalesce(r.ending_at, clock_timestamp()),
        ending_by = coalesce(r.ending_by, by_whom)
    WHERE r.id = run AND r.ended_at IS NULL;
    RETURN FOUND;
END $$;

-- Moves pending jobs of a cancelled run into history, at most so many; returns how many. What is
-- locked just then, or whose key is, is left for another round and takes no place in this one:
-- nobody's open transaction delays the others. A job that is being claimed just now runs, and its
-- verdict says what there is to say.
CREATE FUNCTION tenure.retire_run(run uuid, at_most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    whom    text := (SELECT e FROM tenure.run_ending(run) AS e);
    ids     uuid[];
    retired integer;
BEGIN
    IF whom IS NULL THEN
        RETURN 0;
    END IF;
    PERFORM tenure.require_durable_commit();
    ids := array(
        SELECT l.id FROM (
            SELECT j.id, j.kind, j.key FROM tenure.job j
            WHERE j.run_id = run AND j.state <> 'running' ORDER BY j.id) AS o
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.id = o.id AND j.state <> 'running'
              AND (o.key IS NULL OR EXISTS (
                  SELECT FROM tenure.subject_lock s WHERE s.kind = o.kind AND s.key = o.key
                  FOR NO KEY UPDATE SKIP LOCKED))
            FOR UPDATE SKIP LOCKED) AS l
        LIMIT at_most);
    WITH gone AS (
        DELETE FROM tenure.job j WHERE j.id = ANY (ids) RETURNING j.*
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

-- What came of a run that had no job left. `ended` is false where somebody holds a lock that its
-- end needs: to be tried again. `refused` says why what its end was to enqueue could not be; it has
-- ended all the same. `queues` have something to claim: they are to be told, afterwards.
CREATE TYPE tenure.settled_run AS (id uuid, ended boolean, refused text, queues text[]);

-- Ends runs, which are locked, and enqueues what their ends ask for: all in one enqueue, whose keys
-- are locked sorted as everywhere.
CREATE FUNCTION tenure.end_locked_runs(runs tenure.run[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tenure.run r SET ended_at = clock_timestamp()
    WHERE r.id = ANY (array(SELECT o.id FROM unnest(runs) AS o));
    PERFORM FROM tenure.enqueue_jobs((
        SELECT jsonb_agg(f.job) FROM unnest(runs) AS o
        CROSS JOIN LATERAL jsonb_array_elements(o.follow_up) AS f (job)));
END $$;

-- Whether an error says something of the moment or of who calls, and nothing of the rows.
CREATE FUNCTION tenure.is_passing(code text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT left(code, 2) IN ('08', '25', '40', '53', '55', '57', '58', 'XX') OR code = '42501'
$$;

-- Ends those of the runs that have no job left, each once, and enqueues what their ends ask for.
-- Returns them. From the newest job: those that have ended lie before it as a rule. What one of
-- them asks for may be impossible, or need a key that somebody has locked: that holds up no other.
CREATE FUNCTION tenure.settle_runs(ids uuid[]) RETURNS SETOF tenure.settled_run
LANGUAGE plpgsql SET lock_timeout = '200ms'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    candidate uuid;
    mine      tenure.run;
    over      tenure.run[] := '{}';
    part      tenure.run[];
BEGIN
    -- A run looks empty where its jobs came after the snapshot: somebody else's look ends it.
    IF tenure.keeps_snapshot() THEN
        RETURN;
    END IF;
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
        IF mine.follow_up IS NULL THEN
            UPDATE tenure.run r SET ended_at = clock_timestamp() WHERE r.id = candidate;
            RETURN NEXT (candidate, true, NULL, '{}')::tenure.settled_run;
        ELSE
            over := over || mine;
        END IF;
    END LOOP;
    -- All together; where that fails, each by itself.
    FOR turn IN 0 .. cardinality(over) LOOP
        EXIT WHEN over = '{}';
        part := CASE WHEN turn = 0 THEN over ELSE over[turn:turn] END;
        BEGIN
            PERFORM tenure.end_locked_runs(part);
            RETURN QUERY
                SELECT o.id, true, NULL::text, array(
                    SELECT DISTINCT coalesce(f.job ->> 'queue', 'default')
                    FROM jsonb_array_elements(o.follow_up) AS f (job))
                FROM unnest(part) AS o;
            EXIT WHEN turn = 0;
        EXCEPTION WHEN OTHERS THEN
            CONTINUE WHEN turn = 0;
            IF tenure.is_passing(SQLSTATE) THEN
                RETURN NEXT ((part[1]).id, false, NULL, '{}')::tenure.settled_run;
            ELSE
                UPDATE tenure.run r SET ended_at = clock_timestamp(), refused = SQLERRM
                WHERE r.id = (part[1]).id;
                RETURN NEXT ((part[1]).id, true, SQLERRM, '{}')::tenure.settled_run;
            END IF;
        END;
    END LOOP;
END $$;

-- What nobody else came to do: retires the pending jobs of cancelled runs, 5,000 in all, and ends
-- runs whose last job ended unseen. One caller at a time; `after` is the id it has got to. Returns
-- where to go on, null at the end of a round, and what it settled.
CREATE FUNCTION tenure.sweep_runs(
    after uuid, at_most integer, OUT next uuid, OUT settled tenure.settled_run[])
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    place CONSTANT uuid := coalesce(after, '00000000-0000-0000-0000-000000000000');
    open  tenure.run[];
    room  integer := 5000;
BEGIN
    next := after;
    settled := '{}';
    IF NOT tenure.try_turn('sweep_runs') THEN
        RETURN;
    END IF;
    open := array(
        SELECT r FROM tenure.run r
        WHERE r.ended_at IS NULL AND (r.is_whole OR r.ending_at IS NOT NULL) AND r.id > place
        ORDER BY r.id LIMIT at_most);
    next := CASE WHEN cardinality(open) = at_most THEN (open[at_most]).id END;
    FOR turn IN 1 .. cardinality(open) LOOP
        CONTINUE WHEN (open[turn]).ending_at IS NULL;
        room := room - tenure.retire_run((open[turn]).id, room);
        IF room <= 0 THEN  -- there may be more of this one
            next := CASE WHEN turn = 1 THEN place ELSE (open[turn - 1]).id END;
            EXIT;
        END IF;
    END LOOP;
    settled := array(
        SELECT s FROM tenure.settle_runs(array(SELECT o.id FROM unnest(open) AS o)) AS s);
END $$;

-- Forgets runs that ended so long ago, and those that nobody started and that have no jobs. Alone
-- with their rows, and looked at again in a statement of its own: a job may just have come in.
CREATE FUNCTION tenure.drop_runs(idle interval, at_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    quiet   uuid[];
    dropped integer;
BEGIN
    PERFORM tenure.require_read_committed('a sweep');
    quiet := array(
        SELECT o.id FROM tenure.run o
        WHERE o.created_at < clock_timestamp() - idle
          AND (o.ended_at < clock_timestamp() - idle OR NOT o.is_whole AND o.ending_at IS NULL)
          AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.run_id = o.id)
        LIMIT at_most FOR UPDATE SKIP LOCKED);
    DELETE FROM tenure.run r
    WHERE r.id = ANY (quiet) AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.run_id = r.id);
    GET DIAGNOSTICS dropped = ROW_COUNT;
    RETURN dropped;
END $$;
