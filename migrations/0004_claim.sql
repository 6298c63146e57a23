-- Sessions and claims.
--
-- A claim and a declaration of death exclude each other on the session's row (KEY SHARE against
-- UPDATE); a beat (NO KEY UPDATE) waits for neither claims nor jobs.
-- Locks of a claim: its session (shared), the queue if it has a limit, then jobs and lanes,
-- skipping whatever is locked.

CREATE FUNCTION tenure.open_session(
    role text, name text, version text, lease interval, queues text[], kinds text[])
RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    INSERT INTO tenure.session (role, name, version, lease, queues, kinds)
    VALUES (open_session.role, open_session.name, open_session.version, open_session.lease,
            open_session.queues, open_session.kinds)
    RETURNING id
$$;

-- Ends a session by its own will. Whatever it still runs is reclaimed like a dead one's.
CREATE FUNCTION tenure.close_session(session bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tenure.session s WHERE s.id = session AND s.ended_at IS NULL FOR UPDATE;
    UPDATE tenure.session s SET ended_at = clock_timestamp(), died = false
    WHERE s.id = session AND s.ended_at IS NULL;
    RETURN FOUND;
END $$;

-- Declares a session dead whose beat stood still for its whole lease on the watcher's clock:
-- only if the beat is still the one that was watched.
CREATE FUNCTION tenure.declare_dead(session bigint, watched_beat bigint, watcher bigint)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tenure.session s
    WHERE s.id = session AND s.beat = watched_beat AND s.ended_at IS NULL FOR UPDATE;
    UPDATE tenure.session s
    SET ended_at = clock_timestamp(), died = true, ended_by = watcher
    WHERE s.id = session AND s.beat = watched_beat AND s.ended_at IS NULL;
    RETURN FOUND;
END $$;

-- What a claim hands to a worker.
CREATE TYPE tenure.claimed_job AS (
    id uuid, fence bigint, kind text, key text, generation bigint, payload jsonb,
    payload_version smallint, priority smallint, run_at timestamptz, attempt integer,
    max_attempts integer, runs integer, lane text, run_id uuid, parent_id uuid, trace text,
    created_at timestamptz, claimed_at timestamptz, queue text
);

-- Makes jobs the session's. They are locked already, in this transaction.
CREATE FUNCTION tenure.take_jobs(session bigint, ids uuid[]) RETURNS SETOF tenure.claimed_job
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    UPDATE tenure.job j
    SET state = 'running', session_id = session, fence = nextval('tenure.fence'),
        attempt = j.attempt + 1, runs = j.runs + 1, claimed_at = clock_timestamp()
    WHERE j.id = ANY (ids)
    RETURNING j.id, j.fence, j.kind, j.key, j.generation, j.payload, j.payload_version,
              j.priority, j.run_at, j.attempt, j.max_attempts, j.runs, j.lane, j.run_id,
              j.parent_id, j.trace, j.created_at, j.claimed_at, j.queue;
END $$;

-- How many of a limit's holders still run: exact, because only the holder of the limit's row
-- adds to them.
CREATE FUNCTION tenure.still_running(ids uuid[], fences bigint[])
RETURNS TABLE (running_ids uuid[], running_fences bigint[])
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT coalesce(array_agg(h.id), '{}'), coalesce(array_agg(h.fence), '{}')
    FROM unnest(ids, fences) AS h (id, fence)
    JOIN tenure.job j ON j.id = h.id AND j.fence = h.fence;
END $$;

-- Jobs without a lane: per priority, in order of run time and id, from a position on.
-- `from_run_at` and `from_id` hold a position for each priority 0 … 9; null is the head.
CREATE FUNCTION tenure.pick_jobs(
    wanted_queue text, wanted_kinds text[], wanted integer, due timestamptz,
    from_run_at timestamptz[], from_id uuid[])
RETURNS uuid[]
LANGUAGE plpgsql AS $$
BEGIN
    RETURN (
    WITH next AS MATERIALIZED (
        SELECT j.id
        FROM generate_series(0, 9) AS p (priority)
        CROSS JOIN LATERAL (
            SELECT c.id FROM tenure.job c
            WHERE c.queue = wanted_queue AND c.priority = p.priority
              AND c.state IN ('scheduled', 'available', 'retryable') AND c.lane IS NULL
              AND c.run_at <= due
              AND (c.run_at, c.id) > (coalesce(from_run_at[p.priority + 1], '-infinity'),
                  coalesce(from_id[p.priority + 1], '00000000-0000-0000-0000-000000000000'))
              AND c.kind = ANY (wanted_kinds)
            ORDER BY c.run_at, c.id LIMIT wanted
            FOR NO KEY UPDATE SKIP LOCKED
        ) AS j
        LIMIT wanted
    )
    SELECT coalesce(array_agg(id), '{}') FROM next);
END $$;

-- Jobs of lanes, as many as each has room for, in a fixed number of statements: look without locks
-- for lanes that have work and room, lock those, then count and pick in one statement, which sees
-- what committed before they were locked.
CREATE FUNCTION tenure.claim_lanes(
    session bigint, wanted_queue text, wanted_kinds text[], wanted integer, due timestamptz)
RETURNS SETOF tenure.claimed_job
LANGUAGE plpgsql AS $$
DECLARE
    names  text[];
    rooms  integer[];
    chosen text[];
    spots  tenure.lane[];
    picked uuid[];
    taken  tenure.claimed_job[];
    place  integer := 1;
    room   integer;
BEGIN
    -- From lane to lane by the index of pending jobs: lanes without jobs cost nothing.
    WITH RECURSIVE head (lane, priority, run_at, id) AS (
        (SELECT j.lane, j.priority, j.run_at, j.id FROM tenure.job j
         WHERE j.queue = wanted_queue AND j.lane IS NOT NULL AND j.run_at <= due
           AND j.state IN ('scheduled', 'available', 'retryable') AND j.kind = ANY (wanted_kinds)
         ORDER BY j.lane, j.priority, j.run_at, j.id LIMIT 1)
        UNION ALL
        SELECT n.* FROM head CROSS JOIN LATERAL (
            SELECT j.lane, j.priority, j.run_at, j.id FROM tenure.job j
            WHERE j.queue = wanted_queue AND j.lane IS NOT NULL AND j.lane > head.lane
              AND j.run_at <= due AND j.state IN ('scheduled', 'available', 'retryable')
              AND j.kind = ANY (wanted_kinds)
            ORDER BY j.lane, j.priority, j.run_at, j.id LIMIT 1) AS n
    ), open AS MATERIALIZED (
        SELECT head.*, CASE WHEN l.min_interval > '0' THEN 1 ELSE l.max_running - held.n END AS room
        FROM head JOIN tenure.lane l ON l.queue = wanted_queue AND l.name = head.lane
        CROSS JOIN LATERAL (SELECT CASE WHEN l.running_ids = '{}' THEN 0 ELSE (
            SELECT count(*)::integer FROM unnest(l.running_ids, l.running_fences) AS h (id, fence)
            JOIN tenure.job j ON j.id = h.id AND j.fence = h.fence) END OFFSET 0) AS held (n)
        WHERE l.next_at <= due AND held.n < l.max_running
    )
    SELECT array_agg(o.lane ORDER BY o.priority, o.run_at, o.id),
           array_agg(o.room ORDER BY o.priority, o.run_at, o.id)
    INTO names, rooms FROM open o;

    WHILE wanted > 0 AND place <= coalesce(cardinality(names), 0) LOOP
        chosen := '{}';
        room := 0;
        WHILE room < wanted AND place <= cardinality(names) LOOP
            chosen := chosen || names[place];
            room := room + rooms[place];
            place := place + 1;
        END LOOP;
        spots := array(
            SELECT l FROM tenure.lane l
            WHERE l.queue = wanted_queue AND l.name = ANY (chosen)
              AND l.next_at <= clock_timestamp()
            ORDER BY l.name FOR NO KEY UPDATE SKIP LOCKED);
        -- Counted in a statement of its own: it sees what committed before the lanes were locked.
        picked := array(
            SELECT p.id FROM unnest(spots) AS s
            CROSS JOIN LATERAL (
                SELECT count(*) FROM unnest(s.running_ids, s.running_fences) AS h (id, fence)
                JOIN tenure.job j ON j.id = h.id AND j.fence = h.fence) AS held (n)
            CROSS JOIN LATERAL (
                SELECT j.id FROM tenure.job j
                WHERE j.queue = wanted_queue AND j.lane = s.name AND j.run_at <= due
                  AND j.state IN ('scheduled', 'available', 'retryable') AND j.lane IS NOT NULL
                  AND j.kind = ANY (wanted_kinds)
                ORDER BY j.priority, j.run_at, j.id
                LIMIT greatest(0, least(s.max_running - held.n,
                                        CASE WHEN s.min_interval > '0' THEN 1 END))
                FOR NO KEY UPDATE SKIP LOCKED) AS p
            LIMIT wanted);
        CONTINUE WHEN picked = '{}';
        taken := array(SELECT t FROM tenure.take_jobs(session, picked) AS t);
        UPDATE tenure.lane l
        SET (running_ids, running_fences) = (
                SELECT coalesce(array_agg(h.id), '{}') || n.ids,
                       coalesce(array_agg(h.fence), '{}') || n.fences
                FROM unnest(l.running_ids, l.running_fences) AS h (id, fence)
                JOIN tenure.job j ON j.id = h.id AND j.fence = h.fence),
            next_at = clock_timestamp() + l.min_interval
        FROM (SELECT t.lane, array_agg(t.id) AS ids, array_agg(t.fence) AS fences
              FROM unnest(taken) AS t GROUP BY t.lane) AS n
        WHERE l.queue = wanted_queue AND l.name = n.lane;
        wanted := wanted - cardinality(taken);
        RETURN QUERY SELECT t.* FROM unnest(taken) AS t;
    END LOOP;
END $$;

-- Claims at most `wanted` jobs of a queue for a live session. Nothing when the session is over
-- or the queue is paused. At or below the queue's own limit, over all workers.
CREATE FUNCTION tenure.claim(
    session bigint, wanted_queue text, wanted_kinds text[], wanted integer,
    from_run_at timestamptz[] DEFAULT NULL, from_id uuid[] DEFAULT NULL)
RETURNS SETOF tenure.claimed_job
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    due     timestamptz;
    line    tenure.queue;
    holders record;
    taken   tenure.claimed_job[];
BEGIN
    -- A fence that a crash forgot could be given twice.
    PERFORM tenure.require_durable_commit();
    PERFORM FROM tenure.session s WHERE s.id = session AND s.ended_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'session % is over', session USING ERRCODE = 'TN002',
            HINT = 'open a new session';
    END IF;
    SELECT * INTO line FROM tenure.queue q WHERE q.name = wanted_queue;
    IF line.paused_at IS NOT NULL THEN
        RETURN;
    END IF;
    IF line.max_running IS NOT NULL THEN
        SELECT * INTO line FROM tenure.queue q WHERE q.name = wanted_queue FOR NO KEY UPDATE;
        IF line.paused_at IS NOT NULL THEN
            RETURN;
        END IF;
        SELECT * INTO holders FROM tenure.still_running(line.running_ids, line.running_fences);
        wanted := least(wanted, line.max_running - cardinality(holders.running_ids));
    END IF;
    IF wanted <= 0 THEN
        RETURN;
    END IF;

    due := clock_timestamp();
    taken := array(SELECT t FROM tenure.take_jobs(session, tenure.pick_jobs(
        wanted_queue, wanted_kinds, wanted, due, from_run_at, from_id)) AS t);
    IF cardinality(taken) < wanted
       AND EXISTS (SELECT FROM tenure.lane l WHERE l.queue = wanted_queue) THEN
        taken := taken || array(SELECT t FROM tenure.claim_lanes(
            session, wanted_queue, wanted_kinds, wanted - cardinality(taken), due) AS t);
    END IF;
    IF line.max_running IS NOT NULL AND taken <> '{}' THEN
        UPDATE tenure.queue q
        SET running_ids = holders.running_ids || array(SELECT t.id FROM unnest(taken) AS t),
            running_fences = holders.running_fences || array(SELECT t.fence FROM unnest(taken) AS t)
        WHERE q.name = wanted_queue;
    END IF;
    RETURN QUERY SELECT t.* FROM unnest(taken) AS t;
END $$;

-- How long until a queue is worth another claim: until its next job falls due, not positive when
-- one has since the last claim; null when there is none. `guarded` says that limits hold jobs
-- back whose end nobody announces.
CREATE FUNCTION tenure.next_due(
    wanted_queue text, wanted_kinds text[], OUT due_in interval, OUT guarded boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    moment timestamptz := clock_timestamp();
BEGIN
    IF EXISTS (SELECT FROM tenure.queue q
               WHERE q.name = wanted_queue AND q.paused_at IS NOT NULL) THEN
        guarded := false;
        RETURN;
    END IF;
    guarded := EXISTS (SELECT FROM tenure.job j
                       WHERE j.queue = wanted_queue AND j.lane IS NOT NULL
                         AND j.state IN ('scheduled', 'available', 'retryable'))
            OR EXISTS (SELECT FROM tenure.queue q
                       WHERE q.name = wanted_queue AND q.max_running IS NOT NULL);
    due_in := least(
        (SELECT min(n.run_at) FROM generate_series(0, 9) AS p (priority) CROSS JOIN LATERAL (
            SELECT j.run_at FROM tenure.job j
            WHERE j.queue = wanted_queue AND j.priority = p.priority
              AND j.state IN ('scheduled', 'available', 'retryable') AND j.lane IS NULL
              AND j.kind = ANY (wanted_kinds)
            ORDER BY j.run_at, j.id LIMIT 1) AS n),
        (SELECT min(greatest(l.next_at, n.run_at)) FROM tenure.lane l CROSS JOIN LATERAL (
            SELECT j.run_at FROM tenure.job j
            WHERE j.queue = l.queue AND j.lane = l.name AND j.lane IS NOT NULL
              AND j.state IN ('scheduled', 'available', 'retryable')
            ORDER BY j.priority, j.run_at, j.id LIMIT 1) AS n
         WHERE guarded AND l.queue = wanted_queue AND greatest(l.next_at, n.run_at) > moment)
    ) - moment;
END $$;

-- What has become of running jobs: `lost`, `cancelled` by whom, `superseded` by which floor.
CREATE FUNCTION tenure.read_verdicts(ids uuid[], fences bigint[])
RETURNS TABLE (tag text, job_id uuid, number bigint, detail text, lease interval)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT v.tag, m.id, v.number, v.detail, NULL::interval
    FROM unnest(ids, fences) AS m (id, fence)
    LEFT JOIN LATERAL (
        SELECT j.id, j.kind, j.key, j.generation, j.ending_at, j.ending_by FROM tenure.job j
        WHERE j.id = m.id AND j.fence = m.fence OFFSET 0) AS j ON true
    LEFT JOIN LATERAL (
        SELECT s.floor FROM tenure.subject s
        WHERE s.kind = j.kind AND s.key = j.key OFFSET 0) AS s ON true
    CROSS JOIN LATERAL (
        SELECT 'lost', NULL::bigint, NULL::text WHERE j.id IS NULL
        UNION ALL
        SELECT 'cancelled', NULL, j.ending_by WHERE j.ending_at IS NOT NULL
        UNION ALL
        SELECT 'superseded', s.floor, NULL WHERE j.ending_at IS NULL AND s.floor > j.generation
    ) AS v (tag, number, detail);
END $$;

-- How often the database's clock was found to have been set back, and followed. One row.
CREATE TABLE tenure.clock (
    one       boolean PRIMARY KEY DEFAULT true CHECK (one),
    steps     bigint NOT NULL DEFAULT 0,
    back      interval,
    found_at  timestamptz,
    found_by  bigint
);

INSERT INTO tenure.clock DEFAULT VALUES;

-- The database's clock was set back: what was due or had a pause to wait for would wait longer, by
-- as much. Those times go back too; dates of the calendar (a producer's `run_at`) stay. By
-- compare-and-set on the steps: whoever watched the clock best is first, and once is enough.
-- What is locked just then keeps its time, and so does a transaction that was open meanwhile.
CREATE FUNCTION tenure.follow_clock(seen_steps bigint, back interval, finder bigint)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    queues text[];
BEGIN
    UPDATE tenure.clock c
    SET steps = c.steps + 1, back = follow_clock.back, found_at = moment, found_by = finder
    WHERE c.one AND c.steps = seen_steps;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    WITH ahead AS MATERIALIZED (
        SELECT j.id FROM tenure.job j
        WHERE j.run_at > moment AND NOT j.calendar AND j.state <> 'running'
        ORDER BY j.id FOR NO KEY UPDATE SKIP LOCKED
    ), moved AS (
        UPDATE tenure.job j SET run_at = j.run_at - follow_clock.back
        FROM ahead a WHERE j.id = a.id
        RETURNING j.queue
    )
    SELECT coalesce(array_agg(DISTINCT m.queue), '{}') INTO queues FROM moved m;
    WITH ahead AS MATERIALIZED (
        SELECT l.queue, l.name FROM tenure.lane l WHERE l.next_at > moment
        ORDER BY l.queue, l.name FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE tenure.lane l SET next_at = l.next_at - follow_clock.back
    FROM ahead a WHERE l.queue = a.queue AND l.name = a.name;
    PERFORM pg_notify('tenure_available', q.name) FROM unnest(queues) AS q (name);
    RETURN true;
END $$;

-- The heartbeat: one row written, the rest read. Says of each running job what has become of it
-- (`held` is not said), of jobs the worker does not know of (`unknown`, a claim whose answer was
-- lost), where the other sessions' beats stand, and the clock, in microseconds, with its steps. No
-- row `beat`: the session is over.
CREATE FUNCTION tenure.beat(
    session bigint, ids uuid[], fences bigint[], since_fence bigint, news jsonb)
RETURNS TABLE (tag text, job_id uuid, number bigint, detail text, lease interval)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH renewed AS (
        UPDATE tenure.session s
        SET beat = s.beat + 1, beaten_at = clock_timestamp(), progress = news
        WHERE s.id = session AND s.ended_at IS NULL
        RETURNING s.beat
    )
    SELECT 'beat', NULL::uuid, r.beat, NULL::text, NULL::interval FROM renewed r
    UNION ALL
    SELECT v.* FROM tenure.read_verdicts(ids, fences) AS v
    UNION ALL
    SELECT 'clock', NULL, c.steps, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text,
           NULL
    FROM tenure.clock c WHERE c.one  -- by its index: without, JIT would compile this plan each time
    UNION ALL
    SELECT 'unknown', j.id, j.fence, NULL, NULL FROM tenure.job j
    WHERE j.session_id = session AND j.fence >= since_fence
      AND j.id NOT IN (SELECT known.id FROM unnest(ids) AS known (id))
    UNION ALL
    SELECT 'peer', NULL, s.id, s.beat::text, s.lease FROM tenure.session s
    WHERE s.ended_at IS NULL AND s.reclaimed_at IS NULL AND s.id <> session
    UNION ALL
    SELECT 'dead', NULL, s.id, NULL, NULL FROM tenure.session s
    WHERE s.ended_at IS NOT NULL AND s.reclaimed_at IS NULL AND s.id <> session;
END $$;
