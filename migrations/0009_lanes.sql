-- What operators, handlers and the coordinator do with lanes: limits, holds, and forgetting them.
-- Locks: the lane alone; `change_lanes` has its jobs locked.

-- Sets a lane's limits, for good: enqueues leave them as they are, and the lane is kept. Exact from
-- the commit on: a claim of the lane that is under way is waited for.
CREATE FUNCTION tenure.set_lane(
    wanted_queue text, wanted_lane text, most integer, pause interval, by_whom text)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    is_new boolean;
BEGIN
    IF pause <> tenure.lane_pause(pause) THEN
        RAISE EXCEPTION 'the interval of lane "%" is %', wanted_lane, pause
            USING ERRCODE = 'TN003', HINT = 'give 0 to 365 days';
    END IF;
    INSERT INTO tenure.lane AS l (queue, name, max_running, min_interval, set_at, set_by)
    VALUES (wanted_queue, wanted_lane, coalesce(most, 1), coalesce(pause, '0'), clock_timestamp(),
            by_whom)
    ON CONFLICT (queue, name) DO UPDATE
    SET max_running = coalesce(most, l.max_running), min_interval = coalesce(pause, l.min_interval),
        set_at = EXCLUDED.set_at, set_by = EXCLUDED.set_by
    RETURNING l.xmax = 0 INTO is_new;
    INSERT INTO tenure.lane_holders (queue, lane, n, turn_at)
    SELECT wanted_queue, wanted_lane, 0, clock_timestamp() WHERE is_new;
    INSERT INTO tenure.lane_call (queue, lane, at)
    VALUES (wanted_queue, wanted_lane, clock_timestamp());
END $$;

-- Makes a lane slower, up to the longest interval, where no operator has set its limits.
CREATE FUNCTION tenure.slow_lane(wanted_queue text, wanted_lane text, pause interval) RETURNS void
LANGUAGE sql AS $$
    UPDATE tenure.lane l SET min_interval = tenure.lane_pause(pause)
    WHERE l.queue = wanted_queue AND l.name = wanted_lane AND l.set_at IS NULL
      AND l.min_interval < tenure.lane_pause(pause)
$$;

-- No job of the lane starts for a while. It waits for nobody: in any transaction, at any place.
CREATE FUNCTION tenure.hold_lane(
    wanted_queue text, wanted_lane text, pause interval, why text, by_whom text) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO tenure.lane_hold (queue, lane, until, reason, held_by)
    VALUES (wanted_queue, wanted_lane, tenure.moment_after(pause), why, by_whom)
$$;

-- Ends a lane's holds. Answers whether it was on hold.
CREATE FUNCTION tenure.release_lane(wanted_queue text, wanted_lane text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    was_held boolean;
BEGIN
    WITH gone AS (
        DELETE FROM tenure.lane_hold o WHERE o.queue = wanted_queue AND o.lane = wanted_lane
        RETURNING o.until
    )
    SELECT coalesce(bool_or(g.until > clock_timestamp()), false) INTO was_held FROM gone g;
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT wanted_queue, wanted_lane, clock_timestamp() WHERE was_held;
    RETURN was_held;
END $$;

-- Forgets lanes that rest, that nobody has claimed from for a while, that no unfinished job has and
-- whose limits nobody set. Alone with their rows, so that no job is on its way into them.
CREATE FUNCTION tenure.drop_idle_lanes(idle interval, at_most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    quiet   tenure.lane[];
    dropped integer;
BEGIN
    -- Of jobs that came since it would know nothing.
    PERFORM tenure.require_read_committed('a sweep');
    quiet := array(
        SELECT l.lane FROM (
            SELECT h.queue, h.lane FROM tenure.lane_holders h
            WHERE h.turn_at = 'infinity' AND h.next_at < clock_timestamp() - idle
            ORDER BY h.queue, h.lane OFFSET 0) AS h
        CROSS JOIN LATERAL (
            SELECT l AS lane FROM tenure.lane l
            WHERE l.queue = h.queue AND l.name = h.lane AND l.set_at IS NULL
            FOR UPDATE SKIP LOCKED) AS l
        LIMIT at_most);
    WITH idlers AS (
        DELETE FROM tenure.lane l USING unnest(quiet) AS q
        WHERE l.queue = q.queue AND l.name = q.name
          AND (SELECT h.turn_at = 'infinity' AND h.next_at < clock_timestamp() - idle
               FROM tenure.lane_holders h WHERE h.queue = q.queue AND h.lane = q.name
               ORDER BY h.n DESC LIMIT 1)
          AND NOT EXISTS (SELECT FROM tenure.job j
                          WHERE j.queue = q.queue AND j.lane = q.name AND j.lane IS NOT NULL
                            AND j.state IN ('waiting', 'held'))
          AND NOT EXISTS (SELECT FROM tenure.job j
                          WHERE j.queue = q.queue AND j.lane = q.name AND j.lane IS NOT NULL
                            AND j.state IN ('scheduled', 'available', 'retryable'))
          AND NOT EXISTS (SELECT FROM tenure.lane_holders h
                          JOIN tenure.job j ON j.id = ANY (h.running_ids) AND j.state = 'running'
                          WHERE h.queue = q.queue AND h.lane = q.name)
        RETURNING l.queue, l.name
    ), holders AS (
        DELETE FROM tenure.lane_holders h USING idlers i WHERE h.queue = i.queue AND h.lane = i.name
    )
    SELECT count(*) INTO dropped FROM idlers;
    DELETE FROM tenure.lane_hold o WHERE o.until < clock_timestamp() - idle;
    RETURN dropped;
END $$;

-- Calls lanes that have due jobs and whose turn is further ahead than any rule says. No statement
-- leaves one behind; a clock that was set back while nobody lived, or a hand on the tables, may.
CREATE FUNCTION tenure.recall_lanes() RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    called integer;
BEGIN
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT h.queue, h.lane, moment FROM tenure.lane_holders h
    JOIN tenure.lane l ON l.queue = h.queue AND l.name = h.lane
    WHERE h.turn_at > moment AND NOT tenure.is_shut(h.next_at, l.min_interval, moment)
      AND NOT EXISTS (SELECT FROM tenure.lane_hold o
                      WHERE o.queue = h.queue AND o.lane = h.lane AND o.until > moment)
      AND NOT EXISTS (SELECT FROM tenure.lane_call c
                      WHERE c.queue = h.queue AND c.lane = h.lane AND c.at <= moment)
      AND EXISTS (SELECT FROM tenure.job j
                  WHERE j.queue = h.queue AND j.lane = h.lane AND j.lane IS NOT NULL
                    AND j.run_at <= moment AND j.state IN ('scheduled', 'available', 'retryable'));
    GET DIAGNOSTICS called = ROW_COUNT;
    DELETE FROM tenure.lane_call c
    WHERE c.at < moment - interval '1 hour' AND NOT EXISTS (
        SELECT FROM tenure.lane l WHERE l.queue = c.queue AND l.name = c.lane);
    RETURN called;
END $$;

-- What runs do to lanes as they end. Their jobs are locked.
CREATE FUNCTION tenure.change_lanes(endings tenure.ending[], decisions tenure.decision[])
RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    changes tenure.ending[] := array(
        SELECT e FROM unnest(endings) AS e
        JOIN unnest(decisions) AS d ON d.id = e.id AND d.fence = e.fence
        WHERE e.lanes ? 'hold'
           OR e.lanes ? 'move' AND d.became IN ('available', 'scheduled'));
    moved   tenure.new_job[];
BEGIN
    INSERT INTO tenure.lane_hold (queue, lane, until, reason)
    SELECT e.lanes #>> '{hold,queue}', e.lanes #>> '{hold,lane}',
           tenure.moment_after((e.lanes #>> '{hold,for}')::interval),
           e.lanes #>> '{hold,reason}'
    FROM unnest(changes) AS e WHERE e.lanes ? 'hold';
    WITH news AS (
        SELECT e.id, e.lanes -> 'move' AS move FROM unnest(changes) AS e WHERE e.lanes ? 'move'
    ), gone AS (
        UPDATE tenure.job j
        SET lane = n.move ->> 'lane', payload = coalesce(n.move -> 'payload', j.payload),
            payload_version = coalesce(
                (n.move ->> 'payload_version')::smallint, j.payload_version)
        FROM news n WHERE j.id = n.id AND j.id = ANY (array(SELECT m.id FROM news m))
        RETURNING j.queue, j.run_at, n.move
    )
    SELECT array_agg(jsonb_populate_record(NULL::tenure.new_job, jsonb_build_object(
        'queue', g.queue, 'run_at', g.run_at, 'lane', g.move ->> 'lane',
        'lane_max_running', g.move -> 'max_running',
        'lane_min_interval', tenure.lane_pause(
            (g.move ->> 'min_interval')::interval))))
    INTO moved FROM gone g;
    PERFORM tenure.make_lanes(moved) WHERE moved IS NOT NULL;
END $$;
