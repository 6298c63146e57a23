-- Claims: at most as many jobs as asked for, in order, for a live session.
--
-- Locks: the session (shared, against its death), the queue if it has a limit, then jobs and
-- lanes, skipping whatever is locked. Rows of queues and lanes are only locked, never written.

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
CREATE FUNCTION tenure.is_shut(next_at timestamptz, min_interval interval, moment timestamptz)
RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(next_at > moment AND next_at <= moment + min_interval + '1 s', false)
$$;

-- Writes down who holds lanes now. They are locked.
CREATE FUNCTION tenure.hold_lanes(wanted_queue text, taken tenure.claimed_job[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH was AS MATERIALIZED (
        SELECT t.lane, t.ids, t.fences, h.ctid AS place, h.n, h.running_ids, h.running_fences,
               h.past_priority, h.past_run_at, h.past_id
        FROM (SELECT t.lane, array_agg(t.id) AS ids, array_agg(t.fence) AS fences
              FROM unnest(taken) AS t GROUP BY t.lane) AS t
        LEFT JOIN LATERAL (
            SELECT h.ctid, h.* FROM tenure.lane_holders h
            WHERE h.queue = wanted_queue AND h.lane = t.lane
            ORDER BY h.n DESC LIMIT 1) AS h ON true
    ), gone AS (
        -- By its place: a join could be turned round, and read all of the queue's dead rows.
        DELETE FROM tenure.lane_holders h WHERE h.ctid = ANY (array(SELECT w.place FROM was w))
    )
    INSERT INTO tenure.lane_holders (
        queue, lane, n, next_at, past_priority, past_run_at, past_id, running_ids, running_fences)
    SELECT wanted_queue, w.lane, coalesce(w.n, 0) + 1, clock_timestamp() + l.min_interval,
           last.priority, last.run_at, last.id,
           left_over.running_ids || w.ids, left_over.running_fences || w.fences
    FROM was w JOIN tenure.lane l ON l.queue = wanted_queue AND l.name = w.lane
    -- A sweep from the head does not set the place back.
    CROSS JOIN LATERAL (
        SELECT p.* FROM (
            SELECT t.priority, t.run_at, t.id FROM unnest(taken) AS t WHERE t.lane = w.lane
            UNION ALL SELECT w.past_priority, w.past_run_at, w.past_id WHERE w.n IS NOT NULL) AS p
        ORDER BY p.priority DESC, p.run_at DESC, p.id DESC LIMIT 1) AS last
    CROSS JOIN LATERAL tenure.still_running(w.running_ids, w.running_fences) AS left_over;
END $$;

-- The first job of each lane that is due. From the heads: from lane to lane
-- by the index of pending jobs, so that lanes without jobs cost nothing. Onward: behind each lane's
-- last claim, so that dead entries cost nothing.
CREATE FUNCTION tenure.lane_heads(
    wanted_queue text, wanted_kinds text[], due timestamptz, onward boolean)
RETURNS TABLE (lane text, priority smallint, run_at timestamptz, id uuid)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    IF onward THEN
        RETURN QUERY
        SELECT l.name, n.* FROM tenure.lane l
        LEFT JOIN LATERAL (
            SELECT h.* FROM tenure.lane_holders h WHERE h.queue = l.queue AND h.lane = l.name
            ORDER BY h.n DESC LIMIT 1) AS s ON true
        CROSS JOIN LATERAL (
            SELECT j.priority, j.run_at, j.id FROM tenure.job j
            WHERE j.queue = wanted_queue AND j.lane = l.name AND j.lane IS NOT NULL
              AND j.run_at <= due AND j.state IN ('scheduled', 'available', 'retryable')
              AND (j.priority, j.run_at, j.id) > (coalesce(s.past_priority, -1::smallint),
                  coalesce(s.past_run_at, '-infinity'),
                  coalesce(s.past_id, '00000000-0000-0000-0000-000000000000'))
              AND j.kind = ANY (wanted_kinds)
            ORDER BY j.priority, j.run_at, j.id LIMIT 1) AS n
        WHERE l.queue = wanted_queue;
        RETURN;
    END IF;
    RETURN QUERY
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
    )
    SELECT h.* FROM head h;
END $$;

-- Jobs of lanes, as many as each has room for, in a fixed number of statements: look without locks
-- for lanes that have work and room, lock those, then count and pick in one statement, which sees
-- what committed before they were locked.
CREATE FUNCTION tenure.claim_lanes(
    session bigint, wanted_queue text, wanted_kinds text[], wanted integer, due timestamptz,
    onward boolean)
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
    WITH open AS MATERIALIZED (
        SELECT head.*, CASE WHEN l.min_interval > '0' THEN 1 ELSE l.max_running - held.n END AS room
        FROM tenure.lane_heads(wanted_queue, wanted_kinds, due, onward) AS head
        JOIN tenure.lane l ON l.queue = wanted_queue AND l.name = head.lane
        LEFT JOIN LATERAL (
            SELECT h.* FROM tenure.lane_holders h WHERE h.queue = l.queue AND h.lane = l.name
            ORDER BY h.n DESC LIMIT 1) AS s ON true
        CROSS JOIN LATERAL (
            SELECT count(*)::integer FROM unnest(s.running_ids, s.running_fences) AS h (id, fence)
            JOIN tenure.job j ON j.id = h.id AND j.fence = h.fence) AS held (n)
        WHERE NOT tenure.is_shut(s.next_at, l.min_interval, due) AND held.n < l.max_running
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
            ORDER BY l.name FOR NO KEY UPDATE SKIP LOCKED);
        -- Counted in a statement of its own: it sees what committed before the lanes were locked.
        picked := array(
            SELECT p.id FROM unnest(spots) AS s
            LEFT JOIN LATERAL (
                SELECT h.* FROM tenure.lane_holders h WHERE h.queue = s.queue AND h.lane = s.name
                ORDER BY h.n DESC LIMIT 1) AS h ON true
            CROSS JOIN LATERAL (SELECT
                coalesce(h.past_priority, -1::smallint), coalesce(h.past_run_at, '-infinity'),
                coalesce(h.past_id, '00000000-0000-0000-0000-000000000000'), h.next_at,
                h.running_ids, h.running_fences) AS was (
                    past_priority, past_run_at, past_id, next_at, running_ids, running_fences)
            CROSS JOIN LATERAL (
                SELECT count(*) FROM unnest(was.running_ids, was.running_fences) AS h (id, fence)
                JOIN tenure.job j ON j.id = h.id AND j.fence = h.fence) AS held (n)
            CROSS JOIN LATERAL (
                SELECT j.id FROM tenure.job j
                WHERE j.queue = wanted_queue AND j.lane = s.name AND j.run_at <= due
                  AND j.state IN ('scheduled', 'available', 'retryable') AND j.lane IS NOT NULL
                  AND (j.priority, j.run_at, j.id) > (
                      CASE WHEN onward THEN was.past_priority ELSE -1::smallint END,
                      CASE WHEN onward THEN was.past_run_at ELSE '-infinity' END,
                      CASE WHEN onward THEN was.past_id
                           ELSE '00000000-0000-0000-0000-000000000000' END)
                  AND j.kind = ANY (wanted_kinds)
                  AND (j.run_id IS NULL OR j.run_id <> ALL (array(
                      SELECT r.id FROM tenure.run r
                      WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
                ORDER BY j.priority, j.run_at, j.id
                LIMIT greatest(0, least(s.max_running - held.n,
                                        CASE WHEN s.min_interval > '0' THEN 1 END))
                FOR NO KEY UPDATE SKIP LOCKED) AS p
            WHERE NOT tenure.is_shut(was.next_at, s.min_interval, moment)
            LIMIT wanted);
        CONTINUE WHEN picked = '{}';
        taken := array(SELECT t FROM tenure.take_jobs(session, picked) AS t);
        PERFORM tenure.hold_lanes(wanted_queue, taken);
        wanted := wanted - cardinality(taken);
        RETURN QUERY SELECT t.* FROM unnest(taken) AS t;
    END LOOP;
END $$;

-- Claims at most `wanted` jobs of a queue for a live session: those without a lane, per priority in
-- order of run time and id, then those of lanes. Nothing when the session is over or the queue is
-- paused. At or below the queue's own limit, over all workers.
-- `from_run_at` and `from_id` hold a position for each priority 0 … 9; null is the head. With a
-- position, lanes begin behind their own last claim.
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
        SELECT h.n, r.* INTO holders FROM tenure.queue_holders h
        CROSS JOIN LATERAL tenure.still_running(h.running_ids, h.running_fences) AS r
        WHERE h.queue = wanted_queue ORDER BY h.n DESC LIMIT 1;
        wanted := least(wanted, line.max_running
            - coalesce(cardinality(holders.running_ids), 0));
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
              -- Asked once, in this statement's snapshot, and not before a job of a run is met.
              AND (c.run_id IS NULL OR c.run_id <> ALL (array(
                  SELECT r.id FROM tenure.run r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
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
    IF taken > wanted THEN  -- a plan that picks anew for each row would: nothing is taken then
        RAISE EXCEPTION 'a claim of % jobs took %', wanted, taken USING ERRCODE = 'XX000';
    END IF;
    IF taken < wanted
       AND EXISTS (SELECT FROM tenure.lane l WHERE l.queue = wanted_queue) THEN
        RETURN QUERY SELECT * FROM tenure.claim_lanes(
            session, wanted_queue, wanted_kinds, wanted - taken, due, from_run_at IS NOT NULL);
    END IF;
    IF before IS NOT NULL THEN
        -- Whom this claim has made running: only one claim at a time is under way in this queue.
        INSERT INTO tenure.queue_holders (queue, n, running_ids, running_fences)
        SELECT wanted_queue, coalesce(holders.n, 0) + 1, holders.running_ids || array_agg(j.id),
               holders.running_fences || array_agg(j.fence)
        FROM tenure.job j
        WHERE j.session_id = session AND j.fence > before AND j.queue = wanted_queue
        HAVING count(*) > 0;
        IF FOUND THEN
            DELETE FROM tenure.queue_holders h WHERE h.queue = wanted_queue AND h.n = holders.n;
        END IF;
    END IF;
END $$;

-- How long until a queue is worth another claim: until its next job falls due, not positive when
-- one has since the last claim; null when there is none. `guarded` says that limits hold jobs
-- back whose end nobody announces. From a position, as a claim: dead entries are not walked over.
CREATE FUNCTION tenure.next_due(
    wanted_queue text, wanted_kinds text[], from_run_at timestamptz[] DEFAULT NULL,
    from_id uuid[] DEFAULT NULL, OUT due_in interval, OUT guarded boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    onward boolean := from_run_at IS NOT NULL;
BEGIN
    IF EXISTS (SELECT FROM tenure.queue q
               WHERE q.name = wanted_queue AND q.paused_at IS NOT NULL) THEN
        guarded := false;
        RETURN;
    END IF;
    guarded := CASE WHEN onward THEN EXISTS (
                        SELECT FROM tenure.lane_heads(wanted_queue, wanted_kinds, 'infinity', true))
                    ELSE EXISTS (
                        SELECT FROM tenure.job j
                        WHERE j.queue = wanted_queue AND j.lane IS NOT NULL
                          AND j.state IN ('scheduled', 'available', 'retryable')) END
            OR EXISTS (SELECT FROM tenure.queue q
                       WHERE q.name = wanted_queue AND q.max_running IS NOT NULL);
    due_in := least(
        (SELECT min(n.run_at) FROM generate_series(0, 9) AS p (priority) CROSS JOIN LATERAL (
            SELECT j.run_at FROM tenure.job j
            WHERE j.queue = wanted_queue AND j.priority = p.priority
              AND j.state IN ('scheduled', 'available', 'retryable') AND j.lane IS NULL
              AND (j.run_at, j.id) > (coalesce(from_run_at[p.priority + 1], '-infinity'),
                  coalesce(from_id[p.priority + 1], '00000000-0000-0000-0000-000000000000'))
              AND j.kind = ANY (wanted_kinds)
              AND (j.run_id IS NULL OR j.run_id <> ALL (array(
                  SELECT r.id FROM tenure.run r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
            ORDER BY j.run_at, j.id LIMIT 1) AS n),
        (SELECT min(greatest(o.opens_at, n.run_at)) FROM tenure.lane l
         LEFT JOIN LATERAL (
            SELECT h.* FROM tenure.lane_holders h
            WHERE h.queue = l.queue AND h.lane = l.name ORDER BY h.n DESC LIMIT 1) AS s ON true
         CROSS JOIN LATERAL (
            SELECT CASE WHEN tenure.is_shut(s.next_at, l.min_interval, moment)
                        THEN s.next_at END) AS o (opens_at)
         CROSS JOIN LATERAL (
            SELECT j.run_at FROM tenure.job j
            WHERE j.queue = l.queue AND j.lane = l.name AND j.lane IS NOT NULL
              AND j.state IN ('scheduled', 'available', 'retryable')
              AND (j.priority, j.run_at, j.id) > (
                  CASE WHEN onward AND s.n > 0 THEN s.past_priority ELSE -1::smallint END,
                  CASE WHEN onward AND s.n > 0 THEN s.past_run_at ELSE '-infinity' END,
                  CASE WHEN onward AND s.n > 0 THEN s.past_id
                       ELSE '00000000-0000-0000-0000-000000000000' END)
            ORDER BY j.priority, j.run_at, j.id LIMIT 1) AS n
         WHERE guarded AND l.queue = wanted_queue AND greatest(o.opens_at, n.run_at) > moment)
    ) - moment;
END $$;
