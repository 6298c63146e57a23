-- Answers what calls for a look: the lane comes into the line now.
CREATE OR REPLACE FUNCTION tenure.answer_calls(wanted_queue text, due timestamptz) RETURNS void
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
