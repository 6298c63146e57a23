-- claim_lanes in a fixed number of statements for many lanes: look without locks for lanes that
-- have work and room, lock those, then count and pick in one statement that sees what committed
-- before they were locked.
CREATE OR REPLACE FUNCTION tenure.claim_lanes(
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
