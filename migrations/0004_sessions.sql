-- Sessions: a beat for all of a process's runs, the verdicts it brings back, death and the clock.
--
-- A declaration of death and a claim exclude each other on the session's row (UPDATE against
-- KEY SHARE); a beat (NO KEY UPDATE) waits for neither claims nor jobs.
-- Locks: the session alone. `follow_clock` locks jobs by id, skipping what is locked.

-- Fields of payloads that are not to be shown, as workers that know the kinds have said: whoever
-- shows a job may not know its type. Never forgotten, so that history shows no more than before.
CREATE TABLE tenure.secret_field (
    kind  text COLLATE "C",
    field text COLLATE "C",
    PRIMARY KEY (kind, field)
);

-- An interval as a number of seconds, which every client can read and reckon with: months have no
-- fixed length, and are counted as PostgreSQL does when it compares.
CREATE FUNCTION tenure.in_seconds(span interval) RETURNS interval
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN span > '1000 years' THEN interval '360000 days'
                WHEN span < '-1000 years' THEN interval '-360000 days'
                ELSE make_interval(secs => extract(epoch FROM span)::float8) END
$$;

-- `secrets` has an array of field names for each kind that has some. With `says_begun` the session
-- calls `note_begun` before a handler begins.
CREATE FUNCTION tenure.open_session(
    role text, name text, version text, lease interval, queues text[], kinds text[],
    clock timestamptz DEFAULT NULL, secrets jsonb DEFAULT '{}', says_begun boolean DEFAULT false)
RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    INSERT INTO tenure.secret_field (kind, field)
    SELECT k.kind, f.field FROM jsonb_each(secrets) AS k (kind, fields)
    CROSS JOIN LATERAL jsonb_array_elements_text(k.fields) AS f (field)
    ORDER BY k.kind, f.field
    ON CONFLICT DO NOTHING;

    INSERT INTO tenure.session (role, name, version, lease, queues, kinds, clock_ahead, says_begun)
    VALUES (open_session.role, open_session.name, open_session.version, open_session.lease,
            open_session.queues, open_session.kinds, clock - clock_timestamp(),
            open_session.says_begun)
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

-- Which of a session's unfinished runs have begun, or are about to: the newest note of each queue.
-- Fences of runs that are over may still be in it. As with `queue_holders`, the newer row is
-- inserted and the older deleted, so that an open snapshot's old versions are not walked over.
CREATE TABLE tenure.session_begun (
    session_id bigint,
    queue      text COLLATE "C",
    n          bigint,
    fences     int8multirange NOT NULL,
    PRIMARY KEY (session_id, queue, n)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- Notes which runs of a queue have begun, from the first fence to the last of each range; `number`
-- grows with each note, and `since` is the oldest that may still be there. To be sent before the
-- handlers begin, not awaited: what a killed process has sent is still carried out. It waits for
-- nobody, not even for the disk: what a crash of the server forgets, no worker's death brings back.
-- False: the session is over.
CREATE FUNCTION tenure.note_begun(
    session bigint, of_queue text, number bigint, since bigint, lows bigint[], highs bigint[])
RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    -- Alone in its transaction: what others have written before is not theirs to be forgotten.
    IF pg_current_xact_id_if_assigned() IS NULL THEN
        PERFORM set_config('synchronous_commit', 'off', true);
    END IF;
    INSERT INTO tenure.session_begun (session_id, queue, n, fences)
    SELECT session, of_queue, number, coalesce(range_agg(int8range(r.low, r.high, '[]')), '{}')
    FROM unnest(lows, highs) AS r (low, high)
    HAVING EXISTS (SELECT FROM tenure.session s WHERE s.id = session AND s.ended_at IS NULL)
    -- Sent twice, it says the same.
    ON CONFLICT (session_id, queue, n) DO UPDATE
        SET fences = tenure.session_begun.fences + EXCLUDED.fences;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    DELETE FROM tenure.session_begun b
    WHERE b.session_id = session AND b.queue = of_queue AND b.n >= since AND b.n < number;
    RETURN true;
END $$;

-- Whether a session's run has begun, as far as the session has said.
CREATE FUNCTION tenure.has_begun(of_session bigint, of_queue text, fence bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT NOT s.says_begun OR coalesce((
        SELECT b.fences @> has_begun.fence FROM tenure.session_begun b
        WHERE b.session_id = s.id AND b.queue = of_queue ORDER BY b.n DESC LIMIT 1), false)
    FROM tenure.session s WHERE s.id = of_session
$$;

-- What has become of running jobs: `lost`, `cancelled` by whom, `superseded` by which floor.
CREATE FUNCTION tenure.read_verdicts(ids uuid[], fences bigint[])
RETURNS TABLE (tag text, job_id uuid, number bigint, detail text, lease interval)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT v.tag, m.id, v.number, v.detail, NULL::interval
    FROM unnest(ids, fences) AS m (id, fence)
    LEFT JOIN LATERAL (
        SELECT j.id, j.kind, j.key, j.generation, j.ending_at, j.ending_by, j.batch_id
        FROM tenure.job j
        WHERE j.id = m.id AND j.fence = m.fence OFFSET 0) AS j ON true
    LEFT JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s ON true
    LEFT JOIN LATERAL tenure.batch_ending(j.batch_id) AS r (whom) ON true
    CROSS JOIN LATERAL (
        SELECT 'lost', NULL::bigint, NULL::text WHERE j.id IS NULL
        UNION ALL
        SELECT 'cancelled', NULL, coalesce(j.ending_by, r.whom)
        WHERE j.ending_at IS NOT NULL OR r.whom IS NOT NULL
        UNION ALL
        SELECT 'superseded', s.floor, NULL
        WHERE j.ending_at IS NULL AND r.whom IS NULL AND s.floor > j.generation
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
-- Returns the queues that have something to claim, to be told afterwards; null where somebody else
-- was first.
CREATE FUNCTION tenure.follow_clock(seen_steps bigint, back interval, finder bigint)
RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    queues text[];
BEGIN
    UPDATE tenure.clock c
    SET steps = c.steps + 1, back = follow_clock.back, found_at = moment, found_by = finder
    WHERE c.one AND c.steps = seen_steps;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    WITH ahead AS MATERIALIZED (
        SELECT j.id FROM tenure.job j
        WHERE j.run_at > moment AND NOT j.calendar AND j.state <> 'running'
        ORDER BY j.id FOR NO KEY UPDATE SKIP LOCKED
    ), moved AS (
        UPDATE tenure.job j
        SET run_at = j.run_at - follow_clock.back,
            -- A debounced job's longest wait is counted from here.
            created_at = CASE WHEN j.created_at > moment THEN j.created_at - follow_clock.back
                              ELSE j.created_at END
        FROM ahead a WHERE j.id = a.id
        RETURNING j.queue, j.lane
    ), called AS (
        INSERT INTO tenure.lane_call (queue, lane, at)
        SELECT DISTINCT m.queue, m.lane, moment FROM moved m WHERE m.lane IS NOT NULL
    )
    SELECT coalesce(array_agg(DISTINCT m.queue), '{}') INTO queues FROM moved m;
    -- A step is rare: versions under a key that is read often may be made here.
    WITH ahead AS MATERIALIZED (
        SELECT h.ctid AS place FROM tenure.lane_holders h
        WHERE h.turn_at > moment AND h.turn_at < 'infinity' OR h.next_at > moment
        FOR UPDATE SKIP LOCKED
    )
    UPDATE tenure.lane_holders h
    SET turn_at = h.turn_at - follow_clock.back, next_at = h.next_at - follow_clock.back
    FROM ahead a WHERE h.ctid = a.place;
    UPDATE tenure.lane_call c SET at = c.at - follow_clock.back WHERE c.at > moment;
    -- A claim that is under way may send a lane to rest until the old time: the lane is called.
    WITH moved AS (
        UPDATE tenure.lane_hold o SET until = o.until - follow_clock.back WHERE o.until > moment
        RETURNING o.queue, o.lane
    )
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT DISTINCT m.queue, m.lane, moment FROM moved m;
    RETURN queues;
END $$;

-- How far each run has come, as its handler said last: for people, never for a rule. A row belongs
-- to one run and so to one session, whose beats come one after the other; it outlives the run.
CREATE TABLE tenure.job_progress (
    job_id      uuid,
    fence       bigint,
    done        bigint NOT NULL,
    total       bigint,
    reported_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    rate        double precision,            -- a second
    note        text,
    PRIMARY KEY (job_id, fence)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Writes down what a beat brings, a jsonb array of {job, fence, done, total, rate, note}. It waits
-- for nobody: a lease must not be lost over a row that somebody looks at under lock. Such a row is
-- passed over, and has its turn with the run's next report.
CREATE FUNCTION tenure.note_progress(news jsonb) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    WITH told AS MATERIALIZED (
        SELECT p.place, n.* FROM jsonb_to_recordset(news) AS n (
            job uuid, fence bigint, done bigint, total bigint, rate double precision, note text)
        CROSS JOIN LATERAL (
            SELECT p.ctid AS place FROM tenure.job_progress p
            WHERE p.job_id = n.job AND p.fence = n.fence FOR NO KEY UPDATE SKIP LOCKED) AS p
    )
    UPDATE tenure.job_progress p
    SET done = t.done, total = t.total, rate = t.rate, note = t.note,
        reported_at = clock_timestamp()
    FROM told t WHERE p.ctid = t.place;
    -- The job's earlier runs have had their say.
    WITH made AS (
        INSERT INTO tenure.job_progress (job_id, fence, done, total, rate, note)
        SELECT n.job, n.fence, n.done, n.total, n.rate, n.note
        FROM jsonb_to_recordset(news) AS n (
            job uuid, fence bigint, done bigint, total bigint, rate double precision, note text)
        -- A row that is there isn't even tried: it might be one that somebody is deleting.
        WHERE NOT EXISTS (
            SELECT FROM tenure.job_progress p WHERE p.job_id = n.job AND p.fence = n.fence)
        ORDER BY n.job, n.fence
        ON CONFLICT DO NOTHING
        RETURNING job_id, fence
    ), earlier AS MATERIALIZED (
        SELECT p.place FROM made m CROSS JOIN LATERAL (
            SELECT p.ctid AS place FROM tenure.job_progress p
            WHERE p.job_id = m.job_id AND p.fence < m.fence FOR UPDATE SKIP LOCKED) AS p
    )
    DELETE FROM tenure.job_progress p USING earlier e WHERE p.ctid = e.place;
END $$;

-- The heartbeat: one row written, the rest read. Says of each running job what has become of it
-- (`held` is not said), of jobs the worker does not know of (`unknown`, a claim whose answer was
-- lost), where the other sessions' beats stand, and the clock, in microseconds, with its steps. No
-- row `beat`: the session is over. A row `stop`: an operator, by name, has asked it to end. `news`
-- is what runs have reported, or NULL: see `note_progress`.
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
        SET beat = s.beat + 1, beaten_at = clock_timestamp()
        WHERE s.id = session AND s.ended_at IS NULL
        RETURNING s.beat, s.stop_at, s.stop_by
    )
    SELECT 'beat', NULL::uuid, r.beat, NULL::text, NULL::interval FROM renewed r
    UNION ALL
    SELECT 'stop', NULL, NULL, r.stop_by, NULL FROM renewed r WHERE r.stop_at IS NOT NULL
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
    -- A lease that can't be read would keep every other session from its beat.
    SELECT 'peer', NULL, s.id, s.beat::text, tenure.in_seconds(s.lease) FROM tenure.session s
    WHERE s.ended_at IS NULL AND s.reclaimed_at IS NULL AND s.id <> session
    UNION ALL
    SELECT 'dead', NULL, s.id, NULL, NULL FROM tenure.session s
    WHERE s.ended_at IS NOT NULL AND s.reclaimed_at IS NULL AND s.id <> session;
    IF news IS NOT NULL THEN
        PERFORM tenure.note_progress(news);
    END IF;
END $$;
