-- Jobs that wait for other jobs: how they are written, and how they are let go.
--
-- Why: who has parts to put together, or steps of different kinds, says so once, instead of asking
-- again and again (docs/decisions/after.md).
--   * An edge says who waits for whom. It is written with the waiter, under a lock on whom it
--     needs, who is marked; so whoever ends that one sees the mark, or the waiter sees the end.
--   * Whoever ends a marked job writes down how, in the same transaction: one row.
--   * Whoever settles an end (`settle_ends`), in a transaction after it as a rule, sees all edges
--     to whom it ended, and looks at each waiter under its lock: of two the later sees both ends.
--   * Edges go from a new job to older ones or to others of its call, and never change: so there is
--     no circle of jobs but within a call, where it is refused.
--   * A key is waited for by an edge to a row that says which generation (`enter_keys`). There a
--     newer job of the key may close a circle: it is looked for as that one is enqueued
--     (`refuse_key_circle`).
-- Locks: the subjects of new jobs and of those that they wait for, sorted, then the turn of those
-- that may close a circle, then jobs, by id, then ends, by id, then lanes.
-- `settle_ends` locks ends first, and waits for nobody.

-- Enqueues jobs some of which wait for others.
CREATE OR REPLACE FUNCTION tenure.enqueue_linked(news tenure.new_job[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
DECLARE
    answers   tenure.enqueued[];
    may_close boolean;
BEGIN
    PERFORM tenure.refuse_circle(tenure.read_links(news, array(
        SELECT (n.ordinal, n.id, NULL, 'enqueued')::tenure.enqueued FROM unnest(news) AS n)));
    PERFORM tenure.lock_or_make_subjects(array_agg(k.kind), array_agg(k.key)) FROM (
        SELECT n.kind, n.key FROM unnest(news) AS n WHERE n.key IS NOT NULL
        UNION
        SELECT k.kind, k.key FROM unnest(news) AS n
        CROSS JOIN LATERAL tenure.keys_of_waits(n.waits) AS k) AS k
    HAVING count(*) > 0;
    may_close := tenure.take_circle_turn(news);
    answers := array(SELECT e FROM tenure.enqueue_new(news, true, NULL, true) AS e);
    PERFORM tenure.enter_links(
        tenure.read_links(news, answers) || tenure.enter_keys(news, answers), news);
    IF may_close THEN
        PERFORM tenure.refuse_key_circle(array(
            SELECT a.id FROM unnest(answers) AS a JOIN unnest(news) AS n ON n.ordinal = a.ordinal
            WHERE a.result = 'enqueued' AND n.key IS NOT NULL AND n.waits IS NOT NULL));
    END IF;
    IF EXISTS (SELECT FROM unnest(news) AS n WHERE n.lane IS NOT NULL) THEN
        PERFORM tenure.make_lanes(news);
    END IF;
    RETURN QUERY SELECT a.* FROM unnest(answers) AS a;
END $$;

-- The edges of those jobs that are enqueued with waits. A name is that of the job that stands for
-- it: in the call, or by an id that was given before.
CREATE OR REPLACE FUNCTION tenure.read_links(news tenure.new_job[], answers tenure.enqueued[])
RETURNS tenure.job_after[]
LANGUAGE plpgsql
SET enable_nestloop = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
BEGIN
    RETURN array(
        SELECT (l.job_id, l.needs, NULL, bool_and(l.goes_on), NULL)::tenure.job_after
        FROM (
            SELECT w.job_id, coalesce(o.id, g.job_id, w.named) AS needs, w.goes_on
            FROM (
                SELECT a.id AS job_id,
                       coalesce(x.wait ->> 'completed', x.wait ->> 'ended')::uuid AS named,
                       x.wait ? 'ended' AS goes_on
                FROM unnest(news) AS n
                JOIN unnest(answers) AS a ON a.ordinal = n.ordinal
                CROSS JOIN LATERAL jsonb_array_elements(n.waits) AS x (wait)
                WHERE n.waits IS NOT NULL AND a.result = 'enqueued' AND NOT x.wait ? 'key') AS w
            LEFT JOIN (
                SELECT m.id AS named, b.id FROM unnest(news) AS m
                JOIN unnest(answers) AS b ON b.ordinal = m.ordinal) AS o ON o.named = w.named
            LEFT JOIN LATERAL (
                SELECT g.job_id FROM tenure.given_id g
                WHERE o.id IS NULL AND g.id = w.named OFFSET 0) AS g ON true) AS l
        GROUP BY l.job_id, l.needs);
END $$;

-- Writes the edges of new jobs. Those that have nothing to wait for any more are let go at once,
-- and cancelled where somebody was not completed.
CREATE OR REPLACE FUNCTION tenure.enter_links(links tenure.job_after[], news tenure.new_job[])
RETURNS void
LANGUAGE plpgsql
SET enable_nestloop = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
    ids      CONSTANT uuid[] := array(
        SELECT DISTINCT l.needs FROM unnest(links) AS l ORDER BY 1);
    locked   uuid[];
    stranger uuid;
    over     uuid[];
    doomed   uuid[];
    because  tenure.job_end[];
BEGIN
    PERFORM tenure.refuse_circle(links);
    locked := tenure.mark_awaited(ids);
    -- Behind the locks: who was waited for has ended by now, or will see the edge. One that comes
    -- in from now on is not locked, and not waited for.
    over := array(
        SELECT i.id FROM unnest(ids) AS i (id)
        WHERE i.id NOT IN (SELECT l.id FROM unnest(locked) AS l (id)) ORDER BY i.id);
    PERFORM tenure.hold_ends(over) WHERE over <> '{}';
    WITH known AS MATERIALIZED (
        SELECT i.id, j.created_at AS made FROM unnest(locked) AS i (id)
        CROSS JOIN LATERAL (
            SELECT j.created_at FROM tenure.job j WHERE j.id = i.id OFFSET 0) AS j
        UNION ALL
        SELECT i.id, e.made FROM unnest(over) AS i (id)
        LEFT JOIN LATERAL (
            SELECT e.made FROM tenure.job_end e WHERE e.id = i.id
            ORDER BY e.made DESC LIMIT 1) AS e ON true
    ), edges AS MATERIALIZED (
        SELECT l.job_id, l.needs, coalesce(k.made, l.made) AS made, l.goes_on
        FROM unnest(links) AS l JOIN known k ON k.id = l.needs
    ), written AS (
        INSERT INTO tenure.job_after (job_id, needs, made, goes_on)
        SELECT e.job_id, e.needs, e.made, e.goes_on FROM edges e
        WHERE e.made IS NOT NULL
        ORDER BY e.job_id, e.needs
    )
    SELECT e.needs INTO stranger FROM edges e WHERE e.made IS NULL LIMIT 1;
    IF stranger IS NOT NULL THEN
        RAISE EXCEPTION 'a job waits for job %, which is neither unfinished nor in history',
            stranger
            USING ERRCODE = 'TN003', HINT = 'enqueue it before, or with it; of one that ended '
                'longer ago than history is kept, was deleted or forgotten, or ended in a queue '
                'that keeps no completed jobs, nothing is known';
    END IF;
    PERFORM tenure.refuse_own_key(links, news);
    IF over = '{}' THEN
        RETURN;
    END IF;
    SELECT array_agg(d.job_id), array_agg(d.cause) INTO doomed, because FROM (
        SELECT DISTINCT ON (l.job_id) l.job_id, e AS cause
        FROM unnest(links) AS l
        JOIN unnest(over) AS o (id) ON o.id = l.needs
        CROSS JOIN LATERAL (
            SELECT a.made FROM tenure.job_after a
            WHERE a.job_id = l.job_id AND a.needs = l.needs OFFSET 0) AS a
        CROSS JOIN LATERAL (
            SELECT e.* FROM tenure.job_end e WHERE e.id = o.id AND e.made = a.made OFFSET 0) AS e
        WHERE NOT l.goes_on AND e.outcome <> 'completed'
        ORDER BY l.job_id, e.ended_at, e.id) AS d;
    IF doomed IS NOT NULL THEN
        PERFORM tenure.cancel_waiters(doomed, because);
    END IF;
    PERFORM tenure.let_go(array(
        SELECT DISTINCT l.job_id FROM unnest(links) AS l ORDER BY 1));
END $$;

-- Locks jobs that others are about to wait for, by id, and marks them; returns them. They can't end
-- until the caller's transaction does; a claim passes over one that is marked just now, and over no
-- other.
CREATE OR REPLACE FUNCTION tenure.mark_awaited(ids uuid[]) RETURNS uuid[]
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    locked   CONSTANT uuid[] := array(
        SELECT l.id FROM (SELECT DISTINCT i.id FROM unnest(ids) AS i (id) ORDER BY i.id) AS i
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j WHERE j.id = i.id FOR KEY SHARE) AS l);
    unmarked uuid[];
BEGIN
    unmarked := array(
        SELECT l.id FROM (SELECT i.id FROM unnest(locked) AS i (id) ORDER BY i.id) AS i
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j WHERE j.id = i.id AND NOT j.has_waiters
            FOR NO KEY UPDATE) AS l);
    UPDATE tenure.job j SET has_waiters = true WHERE j.id = ANY (unmarked);
    RETURN locked;
END $$;
