-- Claims: at most as many jobs as asked for, in order, for a live session.
--
-- Locks: the session (shared, against its death), the queue if it has a limit, then jobs and
-- lanes, skipping whatever is locked.

-- What a claim hands to a worker. `place` is where the row lies: a hint for `complete_runs`.
CREATE TYPE tenure.claimed_job AS (
    id uuid, fence bigint, kind text, key text, generation bigint, payload jsonb,
    payload_version smallint, priority smallint, run_at timestamptz, attempt integer,
    max_attempts integer, runs integer, lane text, run_id uuid, parent_id uuid, trace text,
    created_at timestamptz, claimed_at timestamptz, queue text, place tid
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
              j.parent_id, j.trace, j.created_at, j.claimed_at, j.queue, j.ctid;
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

-- Whether a lane waits for its interval. A time further ahead than that was written before the
-- clock was set back: it holds nothing. A second more, because another claim may have written it
-- since `moment`.
CREATE FUNCTION tenure.is_shut(l tenure.lane, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT l.next_at > moment AND l.next_at <= moment + l.min_interval + '1 s'
$$;

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
    moment timestamptz;
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
        WHERE NOT tenure.is_shut(l, due) AND held.n < l.max_running
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
        moment := clock_timestamp();
        spots := array(
            SELECT l FROM tenure.lane l
            WHERE l.queue = wanted_queue AND l.name = ANY (chosen)
              AND NOT tenure.is_shut(l, moment)
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

-- Claims at most `wanted` jobs of a queue for a live session: those without a lane, per priority in
-- order of run time and id, then those of lanes. Nothing when the session is over or the queue is
-- paused. At or below the queue's own limit, over all workers.
-- `from_run_at` and `from_id` hold a position for each priority 0 … 9; null is the head.
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
    before  bigint;
    taken   integer;
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
        before := nextval('tenure.fence');
    END IF;
    IF wanted <= 0 THEN
        RETURN;
    END IF;

    due := clock_timestamp();
    RETURN QUERY
    WITH next AS MATERIALIZED (
        SELECT j.place
        FROM generate_series(0, 9) AS p (priority)
        CROSS JOIN LATERAL (
            SELECT c.ctid AS place FROM tenure.job c
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
    -- By their places: no second look into an index. A row that moved between this statement's
    -- snapshot and its lock lies at a place that the snapshot doesn't see: another claim has it.
    UPDATE tenure.job j
    SET state = 'running', session_id = session, fence = nextval('tenure.fence'),
        attempt = j.attempt + 1, runs = j.runs + 1, claimed_at = clock_timestamp()
    WHERE j.ctid = ANY (array(SELECT n.place FROM next n))
    RETURNING j.id, j.fence, j.kind, j.key, j.generation, j.payload, j.payload_version,
              j.priority, j.run_at, j.attempt, j.max_attempts, j.runs, j.lane, j.run_id,
              j.parent_id, j.trace, j.created_at, j.claimed_at, j.queue, j.ctid;
    GET DIAGNOSTICS taken = ROW_COUNT;
    IF taken < wanted
       AND EXISTS (SELECT FROM tenure.lane l WHERE l.queue = wanted_queue) THEN
        RETURN QUERY SELECT * FROM tenure.claim_lanes(
            session, wanted_queue, wanted_kinds, wanted - taken, due);
    END IF;
    IF before IS NOT NULL THEN
        -- Whom this claim has made running: only one claim at a time is under way in this queue.
        UPDATE tenure.queue q
        SET running_ids = holders.running_ids || n.ids,
            running_fences = holders.running_fences || n.fences
        FROM (SELECT array_agg(j.id) AS ids, array_agg(j.fence) AS fences FROM tenure.job j
              WHERE j.session_id = session AND j.fence > before AND j.queue = wanted_queue) AS n
        WHERE q.name = wanted_queue AND n.ids IS NOT NULL;
    END IF;
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
        (SELECT min(greatest(o.opens_at, n.run_at)) FROM tenure.lane l
         CROSS JOIN LATERAL (SELECT CASE WHEN tenure.is_shut(l, moment) THEN l.next_at END) AS o (
             opens_at)
         CROSS JOIN LATERAL (
            SELECT j.run_at FROM tenure.job j
            WHERE j.queue = l.queue AND j.lane = l.name AND j.lane IS NOT NULL
              AND j.state IN ('scheduled', 'available', 'retryable')
            ORDER BY j.priority, j.run_at, j.id LIMIT 1) AS n
         WHERE guarded AND l.queue = wanted_queue AND greatest(o.opens_at, n.run_at) > moment)
    ) - moment;
END $$;
