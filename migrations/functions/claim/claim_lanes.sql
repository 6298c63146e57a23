-- Jobs of lanes: along the line of those whose turn has come, until there are enough. Each lane
-- gets a few places at most before the others had their turn; what is left over goes to those that
-- can use it. One with an interval starts as many as its burst allows: one, as a rule. One of a
-- greater weight has several turns in a row, in one claim or in as many as it takes.
--
-- In strict order nothing of a lane is passed over, and one job runs at a time: who has begun and
-- isn't over (it is tried again, or sleeps, or waits for a signal) or else the first in line, also
-- where this worker can't run it, or somebody has it locked. One that rests for that reason is
-- looked at again after a second: who ends a job that doesn't run calls no lane.
--
-- Why one statement: what a claim of a few jobs costs is mostly how many statements it has
-- (docs/decisions/lanes.md). A lane is counted and its jobs are picked in the statement's snapshot,
-- before the lane is locked; what makes that exact is what is locked. Who claims replaces the
-- lane's row of holders. So if the row that the snapshot shows can be locked where it lies, nobody
-- has claimed from the lane since: no run has joined those that were counted, and some may have
-- ended. Where it can't, the lane is left alone, and the jobs that were picked are free again at
-- COMMIT.
CREATE OR REPLACE FUNCTION tenure.claim_lanes(
    session bigint, wanted_queue text, wanted_kinds text[], wanted integer, due timestamptz,
    onward boolean, from_turn timestamptz DEFAULT NULL, known text[] DEFAULT NULL,
    wanted_versions smallint[] DEFAULT NULL, release text DEFAULT NULL)
RETURNS SETOF tenure.claimed_job
LANGUAGE plpgsql
-- Rows are locked as a lane is reached; an answer that is kept for later would be of no use.
SET enable_memoize = off AS $$
DECLARE
    turn_most CONSTANT integer := 4;
    share     integer := wanted;
    from_at   timestamptz := coalesce(from_turn - interval '50 ms', '-infinity');
    seen_at   timestamptz := due;  -- turns that have come by then
    first     timestamptz;
    taken     tenure.claimed_job[];
    idle      text[];
    barren    text[];
    -- The weights of those that used up their share, together.
    eager     integer;
BEGIN
    IF EXISTS (SELECT FROM tenure.lane_call c WHERE c.queue = wanted_queue) THEN
        PERFORM tenure.answer_calls(wanted_queue, due);
    END IF;
    -- A lane that is alone in line waits for nobody's turn.
    IF wanted > turn_most AND (
        SELECT count(*) > 1 FROM (
            SELECT FROM tenure.lane_holders h
            WHERE h.queue = wanted_queue AND h.turn_at >= from_at AND h.turn_at <= due LIMIT 2
        ) AS two) THEN
        share := turn_most;
    END IF;
    FOR pass IN 1..3 LOOP
        WITH RECURSIVE line (
            turn_at, lane, wanted, is_shut, spot, places, ids, past_priority, past_run_at, n,
            running_ids, pause, burst, paid, turns, weight
        ) AS (
            -- The first of them, full or not, is where the session's next claims begin.
            SELECT (SELECT h.turn_at FROM tenure.lane_holders h
                    WHERE h.queue = wanted_queue AND h.turn_at >= from_at AND h.turn_at <= seen_at
                    ORDER BY h.turn_at LIMIT 1),
                   '' COLLATE "C", claim_lanes.wanted, NULL::boolean, NULL::tid, NULL::tid[],
                   NULL::uuid[], NULL::smallint, NULL::timestamptz, NULL::bigint, NULL::uuid[],
                   NULL::interval, NULL::integer, NULL::timestamptz, NULL::smallint, NULL::smallint
            UNION ALL
            SELECT h.turn_at, h.lane,
                   w.wanted - CASE WHEN k.spot IS NULL THEN 0 ELSE cardinality(c.places) END,
                   h.is_shut OR f.is_put_off IS TRUE, k.spot, c.places, c.ids, c.past_priority,
                   c.past_run_at, h.n, h.running_ids, h.min_interval, h.burst, h.next_at, h.turns,
                   h.weight
            FROM line w
            -- The next that has room. Full ones are passed by: no more of them than jobs run.
            CROSS JOIN LATERAL (
                SELECT h.turn_at, h.lane, h.ctid AS spot, h.past_priority, h.past_run_at,
                       h.past_id, h.n, held.ids AS running_ids, l.max_running, l.min_interval,
                       l.burst, h.next_at, h.turns, l.weight, l.is_strict, held.begun,
                       l.places - held.n AS room,
                       tenure.is_shut(h.next_at, l.min_interval, l.burst, seen_at) OR coalesce((
                           SELECT true FROM tenure.lane_hold o
                           WHERE o.queue = wanted_queue AND o.lane = h.lane AND o.until > seen_at
                           LIMIT 1), false) AS is_shut
                FROM tenure.lane_holders h
                CROSS JOIN LATERAL (
                    SELECT l.max_running, l.min_interval, l.burst, l.weight, l.is_strict,
                           CASE WHEN l.is_strict THEN 1 ELSE l.max_running END AS places
                    FROM tenure.lane l
                    WHERE l.queue = wanted_queue AND l.name = h.lane OFFSET 0) AS l
                CROSS JOIN LATERAL (
                    SELECT (count(*) FILTER (WHERE j.state = 'running'))::integer AS n,
                           coalesce(array_agg(j.id), '{}') AS ids,
                           (array_agg(j.id) FILTER (WHERE j.state <> 'running'))[1] AS begun
                    FROM tenure.job j
                    WHERE j.id = ANY (h.running_ids) AND (j.state = 'running' OR l.is_strict)
                      AND j.queue = wanted_queue AND j.lane = h.lane) AS held
                WHERE h.queue = wanted_queue AND h.turn_at <= seen_at
                  AND (h.turn_at, h.lane) > (w.turn_at, w.lane) AND held.n < l.places
                ORDER BY h.turn_at, h.lane LIMIT 1) AS h
            -- In strict order: whose turn it is, without locks, and whether he has to wait.
            LEFT JOIN LATERAL (
                SELECT j.priority, j.run_at, j.id, j.run_at > due
                           OR j.state NOT IN ('scheduled', 'available', 'retryable') AS is_put_off
                FROM tenure.job j WHERE h.is_strict AND j.id = h.begun
                UNION ALL
                (SELECT j.priority, j.run_at, j.id, false FROM tenure.job j
                 WHERE h.is_strict AND h.begun IS NULL
                   AND j.queue = wanted_queue AND j.lane = h.lane AND j.lane IS NOT NULL
                   AND due >= j.run_at AND j.state IN ('scheduled', 'available', 'retryable')
                   AND (j.priority, j.run_at, j.id) > (
                       CASE WHEN onward THEN h.past_priority ELSE -1::smallint END,
                       CASE WHEN onward THEN h.past_run_at ELSE '-infinity' END,
                       CASE WHEN onward THEN h.past_id
                            ELSE '00000000-0000-0000-0000-000000000000' END)
                   AND (j.not_after IS NULL OR j.not_after > due)
                   AND (j.batch_id IS NULL OR j.batch_id <> ALL (array(
                       SELECT r.id FROM tenure.batch r
                       WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
                 ORDER BY j.priority, j.run_at, j.id LIMIT 1)) AS f ON true
            CROSS JOIN LATERAL (
                SELECT array_agg(c.place) AS places, array_agg(c.id) AS ids,
                       (array_agg(c.priority))[count(*)::integer] AS past_priority,
                       (array_agg(c.run_at))[count(*)::integer] AS past_run_at
                FROM (
                    SELECT j.ctid AS place, j.priority, j.run_at, j.id FROM tenure.job j
                    WHERE j.queue = wanted_queue AND j.lane = h.lane AND j.lane IS NOT NULL
                      AND j.run_at <= due AND j.state IN ('scheduled', 'available', 'retryable')
                      AND (j.priority, j.run_at, j.id) >= (
                          CASE WHEN h.is_strict THEN f.priority
                               WHEN onward THEN h.past_priority ELSE -1::smallint END,
                          CASE WHEN h.is_strict THEN f.run_at
                               WHEN onward THEN h.past_run_at ELSE '-infinity' END,
                          CASE WHEN h.is_strict THEN f.id WHEN onward THEN h.past_id
                               ELSE '00000000-0000-0000-0000-000000000000' END)
                      AND (j.priority, j.run_at, j.id) <= (
                          CASE WHEN h.is_strict THEN f.priority ELSE 9::smallint END,
                          CASE WHEN h.is_strict THEN f.run_at ELSE 'infinity' END,
                          CASE WHEN h.is_strict THEN f.id
                               ELSE 'ffffffff-ffff-ffff-ffff-ffffffffffff' END)
                      AND j.kind = ANY (wanted_kinds)
                      AND tenure.can_read(j.payload_version, j.kind, known, wanted_versions)
                      AND (j.hold_versions IS NULL OR release <> ALL (j.hold_versions))
                      AND (j.not_after IS NULL OR j.not_after > due)
                      AND (j.batch_id IS NULL OR j.batch_id <> ALL (array(
                          SELECT r.id FROM tenure.batch r
                          WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
                    ORDER BY j.priority, j.run_at, j.id
                    LIMIT CASE WHEN h.is_shut THEN 0
                               WHEN h.min_interval > '0' THEN least(
                                   h.room, share, w.wanted, greatest(0, tenure.lane_room(
                                       h.next_at, h.min_interval, h.burst, seen_at)))
                               ELSE least(h.room, share * (h.weight - h.turns), w.wanted) END
                    FOR NO KEY UPDATE SKIP LOCKED) AS c) AS c
            -- Where there is nothing for this worker, nothing is locked: others may read it.
            LEFT JOIN LATERAL (
                SELECT s.ctid AS spot FROM tenure.lane_holders s, tenure.lane l
                WHERE c.places IS NOT NULL AND s.ctid = h.spot
                  AND l.queue = wanted_queue AND l.name = h.lane
                  AND l.max_running = h.max_running AND l.min_interval = h.min_interval
                  AND l.burst = h.burst AND l.weight = h.weight AND l.is_strict = h.is_strict
                  -- One is alive, as a rule; a hand on the tables may leave more.
                  AND NOT EXISTS (
                      SELECT FROM tenure.lane_holders o
                      WHERE o.queue = wanted_queue AND o.lane = h.lane AND o.n > h.n)
                FOR NO KEY UPDATE SKIP LOCKED) AS k ON k.spot = h.spot
            WHERE w.wanted > 0
        ), taken AS (
            -- By their places, as in `claim`.
            UPDATE tenure.job j
            SET state = 'running', session_id = session, fence = nextval('tenure.fence'),
                -- At the type's end it counts no further: one such row would fail every claim.
                attempt = least(j.attempt, 2147483646) + 1, runs = least(j.runs, 2147483646) + 1,
                claimed_at = clock_timestamp()
            WHERE j.ctid = ANY (array(
                SELECT unnest(w.places) FROM line w WHERE w.spot IS NOT NULL))
            RETURNING j.id, j.fence, j.kind, j.key, j.generation, j.payload, j.payload_version,
                      j.priority, j.run_at, j.attempt, j.max_attempts, j.runs, j.lane, j.batch_id,
                      j.parent_id, j.trace, j.created_at, j.claimed_at, j.queue, j.ctid,
                      coalesce(first, (SELECT w.turn_at FROM line w LIMIT 1))
        ), gone AS (
            DELETE FROM tenure.lane_holders h
            WHERE h.ctid = ANY (array(SELECT w.spot FROM line w))
        ), held AS (
            -- To the end of the line: behind all that wait, or to where its interval ends. A claim
            -- from the head sets the place back to what it has found there, which is seldom alone:
            -- of a lane that starts one job at a time, the next claims go on behind it.
            INSERT INTO tenure.lane_holders (
                queue, lane, n, next_at, turn_at, past_priority, past_run_at, past_id, running_ids,
                last_fence, turns)
            SELECT wanted_queue, w.lane, w.n + 1, paid.until,
                   CASE WHEN had.turns > 0 THEN w.turn_at
                        ELSE greatest(now.at, paid.until - tenure.lane_pause(w.pause)
                                              * (tenure.lane_burst(w.pause, w.burst) - 1)) END,
                   w.past_priority, w.past_run_at,
                   w.ids[cardinality(w.ids)], w.running_ids || w.ids,
                   coalesce((SELECT max(t.fence) FROM taken t), 0), had.turns
            FROM line w, LATERAL (SELECT clock_timestamp() OFFSET 0) AS now (at),
                 LATERAL (SELECT tenure.lane_paid(
                     w.paid, w.pause, w.burst, cardinality(w.places), now.at) OFFSET 0)
                     AS paid (until),
                 LATERAL (SELECT w.turns + (cardinality(w.places) + share - 1) / share)
                     AS so_far (turns),
                 LATERAL (SELECT CASE WHEN so_far.turns < w.weight AND w.pause = '0'
                                      THEN so_far.turns ELSE 0 END) AS had (turns)
            WHERE w.spot IS NOT NULL
        )
        SELECT array(SELECT t FROM taken t),
               array_agg(w.lane) FILTER (WHERE w.is_shut),
               array_agg(w.lane) FILTER (WHERE NOT w.is_shut AND w.places IS NULL),
               sum(w.weight) FILTER (
                   WHERE w.spot IS NOT NULL AND cardinality(w.places) >= share
                     AND (w.pause = '0' OR w.burst > 1)),
               coalesce(first, min(w.turn_at))
        INTO taken, idle, barren, eager, first FROM line w;
        wanted := wanted - cardinality(taken);
        RETURN QUERY SELECT t.* FROM unnest(taken) AS t;
        -- Of those where nothing is for this worker, some have nothing for anybody.
        IF idle IS NOT NULL OR barren IS NOT NULL THEN
            PERFORM tenure.rest_lanes(
                wanted_queue, idle || tenure.without_jobs(wanted_queue, barren, due), due);
        END IF;
        EXIT WHEN wanted <= 0 OR eager IS NULL;
        -- Once all had their share, those that used it up may have more, by their weights; and what
        -- is left then goes to whoever can use it.
        share := CASE pass WHEN 1 THEN (wanted + eager - 1) / eager ELSE wanted END;
        from_at := due;
        seen_at := clock_timestamp();
    END LOOP;
END $$;

-- Those of a queue's lanes in which nothing is due.
CREATE OR REPLACE FUNCTION tenure.without_jobs(
    wanted_queue text, names text[], due timestamptz) RETURNS text[]
LANGUAGE plpgsql AS $$
BEGIN
    RETURN array(
        SELECT b.lane FROM unnest(names) AS b (lane)
        WHERE NOT EXISTS (
            SELECT FROM generate_series(0, 9) AS p (priority)
            CROSS JOIN LATERAL (
                SELECT FROM tenure.job j
                WHERE j.queue = wanted_queue AND j.lane = b.lane AND j.lane IS NOT NULL
                  AND j.priority = p.priority
                  AND j.state IN ('scheduled', 'available', 'retryable')
                  AND j.run_at <= due AND (j.not_after IS NULL OR j.not_after > due)
                LIMIT 1) AS o));
END $$;
