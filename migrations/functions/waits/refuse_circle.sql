-- Refuses jobs of a call that wait for each other in a circle, and names it. Older jobs are in
-- none: what they wait for is older, and stays as it is.
CREATE OR REPLACE FUNCTION tenure.refuse_circle(links tenure.job_after[]) RETURNS void
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
DECLARE
    names   uuid[];
    needs   integer[];  -- by their places in `names`, sorted
    waiters integer[];  -- of each of those
    starts  integer[];  -- where those of a name begin
    ahead   integer[];  -- for how many a name waits that are not in line yet
    line    integer[] := '{}';
    at      integer := 1;
    edge    integer;
BEGIN
    -- Ids grow with time: who waits for smaller ones is in no circle.
    IF NOT EXISTS (SELECT FROM unnest(links) AS l WHERE l.needs >= l.job_id
                   AND l.needs IN (SELECT o.job_id FROM unnest(links) AS o)) THEN
        RETURN;
    END IF;
    names := array(SELECT DISTINCT l.job_id FROM unnest(links) AS l ORDER BY 1);
    SELECT array_agg(p.n ORDER BY p.n, w.n), array_agg(w.n ORDER BY p.n, w.n)
    INTO needs, waiters
    FROM unnest(links) AS l
    JOIN unnest(names) WITH ORDINALITY AS p (id, n) ON p.id = l.needs
    JOIN unnest(names) WITH ORDINALITY AS w (id, n) ON w.id = l.job_id;
    ahead := array_fill(0, ARRAY[cardinality(names)]);
    starts := ahead;
    FOR i IN REVERSE cardinality(needs) .. 1 LOOP
        ahead[waiters[i]] := ahead[waiters[i]] + 1;
        starts[needs[i]] := i;
    END LOOP;
    -- In a line each stands behind all that it waits for; who can't is in a circle, or behind one.
    FOR i IN 1 .. cardinality(names) LOOP
        IF ahead[i] = 0 THEN
            line := line || i;
        END IF;
    END LOOP;
    WHILE at <= cardinality(line) LOOP
        edge := starts[line[at]];
        WHILE edge > 0 AND needs[edge] = line[at] LOOP
            ahead[waiters[edge]] := ahead[waiters[edge]] - 1;
            IF ahead[waiters[edge]] = 0 THEN
                line := line || waiters[edge];
            END IF;
            edge := edge + 1;
        END LOOP;
        at := at + 1;
    END LOOP;
    IF cardinality(line) < cardinality(names) THEN
        RAISE EXCEPTION 'jobs wait for each other in a circle: %',
            tenure.name_circle(names, needs, waiters, ahead)
            USING ERRCODE = 'TN003', HINT = 'leave one of these waits out';
    END IF;
END $$;

-- One circle among those that are left, each with one that it waits for.
CREATE OR REPLACE FUNCTION tenure.name_circle(
    names uuid[], needs integer[], waiters integer[], ahead integer[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    next   integer[] := array_fill(NULL::integer, ARRAY[cardinality(names)]);
    circle uuid[] := '{}';
    start  integer;
    at     integer;
BEGIN
    FOR i IN 1 .. cardinality(needs) LOOP
        IF ahead[waiters[i]] > 0 AND ahead[needs[i]] > 0 THEN
            next[waiters[i]] := needs[i];
            at := waiters[i];
        END IF;
    END LOOP;
    -- After so many steps one is in it, wherever one began.
    FOR i IN 1 .. cardinality(names) LOOP
        at := next[at];
    END LOOP;
    start := at;
    LOOP
        circle := circle || names[at];
        at := next[at];
        EXIT WHEN at = start;
    END LOOP;
    RETURN array_to_string(circle[:10], ' after ')
        || CASE WHEN cardinality(circle) > 10
                THEN format(' after … %s more …', cardinality(circle) - 10) ELSE '' END
        || ' after ' || circle[1];
END $$;

-- Refuses jobs that wait for another job of their own key: it makes way for them, or they wait for
-- it anyhow.
CREATE OR REPLACE FUNCTION tenure.refuse_own_key(
    links tenure.job_after[], news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql
SET enable_nestloop = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
    wrong tenure.job_after;
BEGIN
    SELECT l.* INTO wrong FROM (
        SELECT l AS link, n.kind, n.key FROM unnest(links) AS l
        JOIN unnest(news) AS n ON n.id = l.job_id WHERE n.key IS NOT NULL) AS w
    CROSS JOIN LATERAL unnest(ARRAY[w.link]) AS l
    WHERE EXISTS (SELECT FROM tenure.job j WHERE j.id = l.needs AND j.kind = w.kind
                    AND j.key = w.key OFFSET 0)
       OR EXISTS (SELECT FROM tenure.job_history h WHERE h.id = l.needs AND h.kind = w.kind
                    AND h.key = w.key OFFSET 0)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'job % waits for job %, which is of its own key', wrong.job_id, wrong.needs
            USING ERRCODE = 'TN003', HINT = 'leave the wait out, or give one of them another key: '
                'a newer job of a key takes the place of the older';
    END IF;
END $$;
