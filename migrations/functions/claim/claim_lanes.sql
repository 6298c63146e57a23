-- Jobs of lanes: the next few in line that have room and work, looked for without locks; those
-- are locked, and in statements of their own, which see what committed before, counted and picked
-- from. Each gets a few places at most before the others had their turn; what is left over goes to
-- those that can use it.
CREATE OR REPLACE FUNCTION tenure.claim_lanes(
    session bigint, wanted_queue text, wanted_kinds text[], wanted integer, due timestamptz,
    onward boolean, from_turn timestamptz DEFAULT NULL, known text[] DEFAULT NULL,
    wanted_versions smallint[] DEFAULT NULL, release text DEFAULT NULL)
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
                   hold.until > due OR tenure.is_shut(h.next_at, l.min_interval, due)
                       OR head.id IS NULL AND NOT EXISTS (
                           SELECT FROM generate_series(0, 9) AS p (priority)
                           CROSS JOIN LATERAL (
                               SELECT FROM tenure.job j
                               WHERE j.queue = wanted_queue AND j.lane = h.lane
                                 AND j.lane IS NOT NULL AND j.priority = p.priority
                                 AND j.state IN ('scheduled', 'available', 'retryable')
                                 AND j.run_at <= due
                                 AND (j.not_after IS NULL OR j.not_after > due) LIMIT 1) AS o)
                       AS is_idle,
                   head.id IS NULL AS is_barren
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
                  AND tenure.can_read(j.payload_version, j.kind, known, wanted_versions)
                  AND (j.hold_versions IS NULL OR release <> ALL (j.hold_versions))
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
            -- Of what is due there nothing is for this worker: it stays in line, unlocked, for
            -- those who read it.
            CONTINUE WHEN spot.is_barren;
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
                      AND tenure.can_read(j.payload_version, j.kind, known, wanted_versions)
                      AND (j.hold_versions IS NULL OR release <> ALL (j.hold_versions))
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

-- Makes jobs the session's. They are locked already, in this transaction.
CREATE OR REPLACE FUNCTION tenure.take_jobs(session bigint, ids uuid[], turn timestamptz)
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
