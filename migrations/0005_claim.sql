-- Claims: at most as many jobs as asked for, in order, for a live session.
--
-- Locks: the session (shared, against its death), the queue if it has a limit, then jobs and
-- lanes, skipping whatever is locked. Rows of queues and lanes are only locked, never written.

-- What a claim hands to a worker. `place` is where the row lies: a hint for `complete_runs`; `turn`
-- that of the lane which was the first in line, for jobs of lanes.
CREATE TYPE tenure.claimed_job AS (
    id uuid, fence bigint, kind text, key text, generation bigint, payload jsonb,
    payload_version smallint, priority smallint, run_at timestamptz, attempt integer,
    max_attempts integer, runs integer, lane text, batch_id uuid, parent_id uuid, trace text,
    created_at timestamptz, claimed_at timestamptz, queue text, place tid, turn timestamptz
);

-- Makes jobs the session's. They are locked already, in this transaction.
CREATE FUNCTION tenure.take_jobs(session bigint, ids uuid[], turn timestamptz)
RETURNS SETOF tenure.claimed_job
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    UPDATE tenure.job j
    SET state = 'running', session_id = session, fence = nextval('tenure.fence'),
        -- At the type's end it counts no further: one such row would fail every claim.
        attempt = least(j.attempt, 2147483646) + 1, runs = least(j.runs, 2147483646) + 1,
        claimed_at = clock_timestamp()
    WHERE j.id = ANY (ids)
    RETURNING j.id, j.fence, j.kind, j.key, j.generation, j.payload, j.payload_version,
              j.priority, j.run_at, j.attempt, j.max_attempts, j.runs, j.lane, j.batch_id,
              j.parent_id, j.trace, j.created_at, j.claimed_at, j.queue, j.ctid, take_jobs.turn;
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
    SELECT coalesce(
        next_at > moment AND next_at <= moment + tenure.lane_pause(min_interval) + '1 s', false)
$$;

-- Writes down who holds lanes now, and sends them to the end of the line: behind all that wait, or
-- to where their interval ends. They are locked.
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
        queue, lane, n, next_at, turn_at, past_priority, past_run_at, past_id, running_ids,
        running_fences)
    SELECT wanted_queue, w.lane, coalesce(w.n, 0) + 1,
           now.at + tenure.lane_pause(l.min_interval),
           now.at + tenure.lane_pause(l.min_interval), last.priority, last.run_at, last.id,
           left_over.running_ids || w.ids, left_over.running_fences || w.fences
    FROM was w JOIN tenure.lane l ON l.queue = wanted_queue AND l.name = w.lane
    CROSS JOIN LATERAL (SELECT clock_timestamp() OFFSET 0) AS now (at)
    -- A sweep from the head does not set the place back.
    CROSS JOIN LATERAL (
        SELECT p.* FROM (
            SELECT t.priority, t.run_at, t.id FROM unnest(taken) AS t WHERE t.lane = w.lane
            UNION ALL SELECT w.past_priority, w.past_run_at, w.past_id WHERE w.n IS NOT NULL) AS p
        ORDER BY p.priority DESC, p.run_at DESC, p.id DESC LIMIT 1) AS last
    CROSS JOIN LATERAL tenure.still_running(w.running_ids, w.running_fences) AS left_over;
END $$;

-- Gives lanes another turn; all else of them stays. They are locked.
CREATE FUNCTION tenure.move_lanes(wanted_queue text, names text[], turns timestamptz[])
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH was AS MATERIALIZED (
        SELECT h.*, t.turn, h.ctid AS place FROM unnest(names, turns) AS t (lane, turn)
        CROSS JOIN LATERAL (
            SELECT h.ctid, h.* FROM tenure.lane_holders h
            WHERE h.queue = wanted_queue AND h.lane = t.lane
            ORDER BY h.n DESC LIMIT 1) AS h
    ), gone AS (
        DELETE FROM tenure.lane_holders h WHERE h.ctid = ANY (array(SELECT w.place FROM was w))
    )
    INSERT INTO tenure.lane_holders (
        queue, lane, n, next_at, turn_at, past_priority, past_run_at, past_id, running_ids,
        running_fences)
    SELECT w.queue, w.lane, w.n + 1, w.next_at, w.turn, w.past_priority, w.past_run_at, w.past_id,
           w.running_ids, w.running_fences
    FROM was w;
END $$;

-- Answers what calls for a look: the lane comes into the line now.
CREATE FUNCTION tenure.answer_calls(wanted_queue text, due timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    names  text[];
    places tid[];
BEGIN
    IF NOT EXISTS (SELECT FROM tenure.lane_call c WHERE c.queue = wanted_queue) THEN
        RETURN;
    END IF;
    -- From lane to lane: many calls of one don't hide another's.
    WITH RECURSIVE called (lane) AS (
        (SELECT c.lane FROM tenure.lane_call c
         WHERE c.queue = wanted_queue AND c.at <= due ORDER BY c.lane LIMIT 1)
        UNION ALL
        SELECT n.lane FROM called CROSS JOIN LATERAL (
            SELECT c.lane FROM tenure.lane_call c
            WHERE c.queue = wanted_queue AND c.lane > called.lane AND c.at <= due
            ORDER BY c.lane LIMIT 1) AS n
    ), few AS (SELECT c.lane FROM called c LIMIT 500)
    SELECT array_agg(l.name) INTO names FROM (
        SELECT l.name FROM tenure.lane l
        WHERE l.queue = wanted_queue AND l.name = ANY (array(SELECT f.lane FROM few f))
        ORDER BY l.name FOR NO KEY UPDATE SKIP LOCKED) AS l;
    -- A few at a time: the rest asks for nothing more.
    places := array(
        SELECT c.place FROM unnest(names) AS w (lane) CROSS JOIN LATERAL (
            SELECT c.ctid AS place FROM tenure.lane_call c
            WHERE c.queue = wanted_queue AND c.lane = w.lane AND c.at <= due
            ORDER BY c.at LIMIT 100) AS c);
    -- What is asked for here was committed before the lanes were locked, and is looked for later.
    DELETE FROM tenure.lane_call c WHERE c.ctid = ANY (places);
    SELECT array_agg(s.lane) INTO names FROM unnest(names) AS w (lane) CROSS JOIN LATERAL (
        SELECT h.lane, h.turn_at FROM tenure.lane_holders h
        WHERE h.queue = wanted_queue AND h.lane = w.lane ORDER BY h.n DESC LIMIT 1) AS s
    WHERE s.turn_at > due;
    IF names IS NOT NULL THEN
        PERFORM tenure.move_lanes(wanted_queue, names, array_fill(due, ARRAY[cardinality(names)]));
    END IF;
END $$;

-- Sends lanes to rest that were seen without a due job, or on hold: until their next job, the end
-- of the hold or of the interval, or for good. Alone with their rows, so that nobody's jobs are on
-- their way: they are looked at again.
CREATE FUNCTION tenure.rest_lanes(wanted_queue text, names text[], due timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    spots tenure.lane[];
    turns timestamptz[];
BEGIN
    spots := array(
        SELECT l FROM tenure.lane l WHERE l.queue = wanted_queue AND l.name = ANY (names)
        ORDER BY l.name FOR UPDATE SKIP LOCKED);
    SELECT array_agg(r.name), array_agg(r.turn) INTO names, turns FROM (
        SELECT s.name, greatest(
                   coalesce(job.first_at, 'infinity'), hold.until,
                   CASE WHEN tenure.is_shut(h.next_at, s.min_interval, due) THEN h.next_at END)
                   AS turn
        FROM unnest(spots) AS s
        CROSS JOIN LATERAL (
            SELECT h.next_at FROM tenure.lane_holders h
            WHERE h.queue = s.queue AND h.lane = s.name ORDER BY h.n DESC LIMIT 1) AS h
        CROSS JOIN LATERAL (
            SELECT max(o.until) AS until FROM tenure.lane_hold o
            WHERE o.queue = s.queue AND o.lane = s.name) AS hold
        CROSS JOIN LATERAL (
            SELECT min(n.run_at) AS first_at FROM generate_series(0, 9) AS p (priority)
            CROSS JOIN LATERAL (
                SELECT j.run_at FROM tenure.job j
                WHERE j.queue = wanted_queue AND j.lane = s.name AND j.priority = p.priority
                  AND j.state IN ('scheduled', 'available', 'retryable') AND j.lane IS NOT NULL
                  AND (j.not_after IS NULL OR j.not_after > due)
                ORDER BY j.run_at, j.id LIMIT 1) AS n) AS job) AS r
    WHERE r.turn > due;
    IF names IS NOT NULL THEN
        PERFORM tenure.move_lanes(wanted_queue, names, turns);
    END IF;
END $$;

-- Jobs of lanes: the next few in line that have room and work, looked for without locks; those
-- are locked, and in statements of their own, which see what committed before, counted and picked
-- from. Each gets a few places at most before the others had their turn; what is left over goes to
-- those that can use it.
CREATE FUNCTION tenure.claim_lanes(
    session bigint, wanted_queue text, wanted_kinds text[], wanted integer, due timestamptz,
    onward boolean, from_turn timestamptz DEFAULT NULL)
RETURNS SETOF tenure.claimed_job
LANGUAGE plpgsql AS $$
DECLARE
    turn_most CONSTANT integer := 4;
    spot    record;
    chosen  text[];
    idle    text[];
    spots   tenure.lane[];
    picked  uuid[];
    taken   tenure.claimed_job[];
    room    integer;
    share   integer;
    moment  timestamptz;
    first   timestamptz;
    last_turn timestamptz := coalesce(from_turn - interval '50 ms', '-infinity');
    last_lane text := '';
    is_end  boolean := false;
BEGIN
    PERFORM tenure.answer_calls(wanted_queue, due);
    WHILE wanted > 0 AND NOT is_end LOOP
        chosen := '{}'; idle := '{}'; room := 0; is_end := true;
        FOR spot IN
            SELECT h.lane, h.turn_at, l.max_running - held.n AS room, l.min_interval > '0' AS paced,
                   head.id IS NULL OR hold.until > due
                       OR tenure.is_shut(h.next_at, l.min_interval, due) AS is_idle
            FROM tenure.lane_holders h
            CROSS JOIN LATERAL (
                SELECT l.max_running, l.min_interval FROM tenure.lane l
                WHERE l.queue = h.queue AND l.name = h.lane OFFSET 0) AS l
            CROSS JOIN LATERAL (
                SELECT count(*)::integer
                FROM unnest(h.running_ids, h.running_fences) AS r (id, fence)
                JOIN tenure.job j ON j.id = r.id AND j.fence = r.fence OFFSET 0) AS held (n)
            LEFT JOIN LATERAL (
                SELECT o.until FROM tenure.lane_hold o WHERE o.queue = h.queue AND o.lane = h.lane
                ORDER BY o.until DESC LIMIT 1) AS hold ON true
            LEFT JOIN LATERAL (
                SELECT j.id FROM tenure.job j
                WHERE held.n < l.max_running
                  AND j.queue = wanted_queue AND j.lane = h.lane AND j.lane IS NOT NULL
                  AND j.run_at <= due AND j.state IN ('scheduled', 'available', 'retryable')
                  AND (j.priority, j.run_at, j.id) > (
                      CASE WHEN onward THEN h.past_priority ELSE -1::smallint END,
                      CASE WHEN onward THEN h.past_run_at ELSE '-infinity' END,
                      CASE WHEN onward THEN h.past_id
                           ELSE '00000000-0000-0000-0000-000000000000' END)
                  AND j.kind = ANY (wanted_kinds)
                  AND (j.not_after IS NULL OR j.not_after > due)
                  AND (j.batch_id IS NULL OR j.batch_id <> ALL (array(
                      SELECT r.id FROM tenure.batch r
                      WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
                ORDER BY j.priority, j.run_at, j.id LIMIT 1) AS head ON true
            WHERE h.queue = wanted_queue AND h.turn_at <= due
              AND (h.turn_at, h.lane) > (last_turn, last_lane)
            ORDER BY h.turn_at, h.lane
        LOOP
            first := coalesce(first, spot.turn_at);
            IF spot.room <= 0 THEN
                CONTINUE;  -- no more of them than jobs run
            END IF;
            IF spot.is_idle THEN
                idle := idle || spot.lane;
                CONTINUE;
            END IF;
            chosen := chosen || spot.lane;
            room := room + CASE WHEN spot.paced THEN 1 ELSE least(spot.room, turn_most) END;
            IF room >= wanted THEN
                is_end := false;
                last_turn := spot.turn_at;
                last_lane := spot.lane;
                EXIT;
            END IF;
        END LOOP;
        spots := array(
            SELECT l FROM tenure.lane l
            WHERE l.queue = wanted_queue AND l.name = ANY (chosen)
            ORDER BY l.name FOR NO KEY UPDATE SKIP LOCKED);
        -- A lane that is alone in line waits for nobody's turn.
        share := CASE WHEN is_end AND cardinality(chosen) = 1 THEN wanted ELSE turn_most END;
        WHILE wanted > 0 AND spots <> '{}' LOOP
            moment := clock_timestamp();
            -- Counted in a statement of its own: it sees what committed before the lanes were
            -- locked.
            picked := array(
                SELECT p.id FROM unnest(spots) AS s
                LEFT JOIN LATERAL (
                    SELECT h.* FROM tenure.lane_holders h
                    WHERE h.queue = s.queue AND h.lane = s.name
                    ORDER BY h.n DESC LIMIT 1) AS h ON true
                CROSS JOIN LATERAL (SELECT
                    coalesce(h.past_priority, -1::smallint), coalesce(h.past_run_at, '-infinity'),
                    coalesce(h.past_id, '00000000-0000-0000-0000-000000000000'), h.next_at,
                    h.running_ids, h.running_fences) AS was (
                        past_priority, past_run_at, past_id, next_at, running_ids, running_fences)
                CROSS JOIN LATERAL (
                    SELECT count(*) FROM unnest(was.running_ids, was.running_fences)
                        AS h (id, fence)
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
                      AND (j.not_after IS NULL OR j.not_after > moment)
                      AND (j.batch_id IS NULL OR j.batch_id <> ALL (array(
                          SELECT r.id FROM tenure.batch r
                          WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
                    ORDER BY j.priority, j.run_at, j.id
                    LIMIT greatest(0, least(s.max_running - held.n, share,
                                            CASE WHEN s.min_interval > '0' THEN 1 END))
                    FOR NO KEY UPDATE SKIP LOCKED) AS p
                WHERE NOT tenure.is_shut(was.next_at, s.min_interval, moment)
                  AND NOT EXISTS (
                      SELECT FROM tenure.lane_hold o
                      WHERE o.queue = s.queue AND o.lane = s.name AND o.until > moment)
                LIMIT wanted);
            EXIT WHEN picked = '{}';
            taken := array(SELECT t FROM tenure.take_jobs(session, picked, first) AS t);
            PERFORM tenure.hold_lanes(wanted_queue, taken);
            wanted := wanted - cardinality(taken);
            RETURN QUERY SELECT t.* FROM unnest(taken) AS t;
            -- Those that used up their share may have more, once all had one.
            spots := array(
                SELECT s FROM unnest(spots) AS s
                JOIN (SELECT t.lane, count(*) AS n FROM unnest(taken) AS t GROUP BY t.lane) AS c
                  ON c.lane = s.name AND c.n = share
                WHERE s.min_interval = '0' AND is_end);
            share := wanted;
        END LOOP;
        IF idle <> '{}' THEN
            PERFORM tenure.rest_lanes(wanted_queue, idle, due);
        END IF;
    END LOOP;
END $$;

-- Claims at most `wanted` jobs of a queue for a live session: those without a lane, per priority in
-- order of run time and id, then those of lanes; none that has expired, or whose kind is paused.
-- Nothing when the session is over or the queue is paused. At or below the queue's own limit, over
-- all workers.
-- `ahead` of them are to wait for a slot. Among these is no job on its last attempt, nor one of a
-- lane: what its worker's death would cost begins at once. The line ends before such a job, and
-- nobody overtakes it.
-- `from_run_at` and `from_id` hold a position for each priority 0 … 9; null is the head. With a
-- position, lanes begin behind their own last claim, and their line at an eleventh `from_run_at`:
-- the turn of the lane that was the first in it when the session's last laned job was claimed.
CREATE FUNCTION tenure.claim(
    session bigint, wanted_queue text, wanted_kinds text[], wanted integer,
    from_run_at timestamptz[] DEFAULT NULL, from_id uuid[] DEFAULT NULL,
    ahead integer DEFAULT 0)
RETURNS SETOF tenure.claimed_job
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    free    CONSTANT integer := wanted - ahead;
    due     timestamptz;
    line    tenure.queue;
    holders record;
    before  bigint;
    taken   integer;
BEGIN
    -- Who holds a limit is counted behind its lock, which may have been waited for.
    PERFORM tenure.require_read_committed('a claim');
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
    -- Behind the queue's lock, which may have been waited for.
    IF EXISTS (SELECT FROM tenure.kind k WHERE k.paused_at IS NOT NULL) THEN
        wanted_kinds := tenure.open_kinds(wanted_kinds);
        IF wanted_kinds = '{}' THEN
            RETURN;
        END IF;
    END IF;
    IF wanted <= 0 THEN
        RETURN;
    END IF;

    due := clock_timestamp();
    RETURN QUERY
    WITH next AS MATERIALIZED (
        SELECT j.place, j.is_last
        FROM generate_series(0, 9) AS p (priority)
        CROSS JOIN LATERAL (
            SELECT c.ctid AS place, c.attempt + 1::bigint >= c.max_attempts AS is_last
            FROM tenure.job c
            WHERE c.queue = wanted_queue AND c.priority = p.priority
              AND c.state IN ('scheduled', 'available', 'retryable') AND c.lane IS NULL
              AND c.run_at <= due
              AND (c.run_at, c.id) > (coalesce(from_run_at[p.priority + 1], '-infinity'),
                  coalesce(from_id[p.priority + 1], '00000000-0000-0000-0000-000000000000'))
              AND c.kind = ANY (wanted_kinds)
              AND (c.not_after IS NULL OR c.not_after > due)
              -- Asked once, in this statement's snapshot, and not before a job of a batch is met.
              AND (c.batch_id IS NULL OR c.batch_id <> ALL (array(
                  SELECT r.id FROM tenure.batch r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
            ORDER BY c.run_at, c.id LIMIT wanted
            FOR NO KEY UPDATE SKIP LOCKED
        ) AS j
        LIMIT wanted
    ), line_up AS MATERIALIZED (
        SELECT n.place, n.is_last, row_number() OVER () AS spot FROM next n
    )
    -- By their places: no second look into an index. A row that moved between this statement's
    -- snapshot and its lock lies at a place that the snapshot doesn't see: another claim has it.
    UPDATE tenure.job j
    SET state = 'running', session_id = session, fence = nextval('tenure.fence'),
        -- At the type's end it counts no further: one such row would fail every claim.
        attempt = least(j.attempt, 2147483646) + 1, runs = least(j.runs, 2147483646) + 1,
        claimed_at = clock_timestamp()
    WHERE j.ctid = ANY (array(
        SELECT u.place FROM line_up u
        WHERE u.spot < coalesce((SELECT min(o.spot) FROM line_up o
                                 WHERE o.is_last AND o.spot > free), wanted + 1)))
    RETURNING j.id, j.fence, j.kind, j.key, j.generation, j.payload, j.payload_version,
              j.priority, j.run_at, j.attempt, j.max_attempts, j.runs, j.lane, j.batch_id,
              j.parent_id, j.trace, j.created_at, j.claimed_at, j.queue, j.ctid,
              NULL::timestamptz;
    GET DIAGNOSTICS taken = ROW_COUNT;
    IF taken > wanted THEN  -- a plan that picks anew for each row would: nothing is taken then
        RAISE EXCEPTION 'a claim of % jobs took %', wanted, taken USING ERRCODE = 'XX000';
    END IF;
    wanted := least(wanted, free) - taken;
    IF wanted > 0 AND EXISTS (SELECT FROM tenure.lane l WHERE l.queue = wanted_queue) THEN
        RETURN QUERY SELECT * FROM tenure.claim_lanes(
            session, wanted_queue, wanted_kinds, wanted, due, from_run_at IS NOT NULL,
            from_run_at[11]);
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
    next   timestamptz;
BEGIN
    IF EXISTS (SELECT FROM tenure.queue q
               WHERE q.name = wanted_queue AND q.paused_at IS NOT NULL) THEN
        guarded := false;
        RETURN;
    END IF;
    IF EXISTS (SELECT FROM tenure.kind k WHERE k.paused_at IS NOT NULL) THEN
        wanted_kinds := tenure.open_kinds(wanted_kinds);
    END IF;
    guarded := EXISTS (
                SELECT FROM tenure.lane_holders h
                WHERE h.queue = wanted_queue AND h.turn_at < 'infinity'
                  AND h.turn_at >= coalesce(from_run_at[11] - interval '50 ms', '-infinity'))
            OR EXISTS (SELECT FROM tenure.lane_call c WHERE c.queue = wanted_queue)
            OR EXISTS (SELECT FROM tenure.queue q
                       WHERE q.name = wanted_queue AND q.max_running IS NOT NULL);
    next := least(
        (SELECT min(n.run_at) FROM generate_series(0, 9) AS p (priority) CROSS JOIN LATERAL (
            SELECT j.run_at FROM tenure.job j
            WHERE j.queue = wanted_queue AND j.priority = p.priority
              AND j.state IN ('scheduled', 'available', 'retryable') AND j.lane IS NULL
              AND (j.run_at, j.id) > (coalesce(from_run_at[p.priority + 1], '-infinity'),
                  coalesce(from_id[p.priority + 1], '00000000-0000-0000-0000-000000000000'))
              AND j.kind = ANY (wanted_kinds)
              AND (j.not_after IS NULL OR j.not_after > moment)
              AND (j.batch_id IS NULL OR j.batch_id <> ALL (array(
                  SELECT r.id FROM tenure.batch r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
            ORDER BY j.run_at, j.id LIMIT 1) AS n),
        -- Lanes whose turn has come and that were not claimed from are full: see `guarded`.
        (SELECT h.turn_at FROM tenure.lane_holders h
         WHERE guarded AND h.queue = wanted_queue AND h.turn_at > moment AND h.turn_at < 'infinity'
         ORDER BY h.turn_at LIMIT 1),
        (SELECT min(c.at) FROM tenure.lane_call c
         WHERE guarded AND c.queue = wanted_queue AND c.at > moment)
    );
    -- What is due at no time has no distance from now.
    due_in := CASE WHEN next = '-infinity' THEN '0' WHEN next < 'infinity' THEN next - moment END;
END $$;
