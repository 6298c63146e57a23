-- Several jobs of a key, as if each came when the one before had been enqueued; but the rows that
-- a later one changes again are written once (docs/decisions/bulk.md).
CREATE OR REPLACE FUNCTION tenure.enqueue_series(news tenure.new_job[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
DECLARE
    series tenure.in_series[] := tenure.fold_series(tenure.issue_in_order(news));
    firsts tenure.in_series[] := array(
        SELECT s FROM unnest(series) AS s WHERE (s.job).ordinal = s.first);
    lasts  tenure.new_job[] := array(
        SELECT s.folded FROM unnest(firsts) AS s WHERE s.stage = 3 AND s.successor IS NULL);
    part   tenure.new_job[];
    done   tenure.enqueued[] := '{}';
BEGIN
    FOR at_stage IN 1..2 LOOP
        part := array(SELECT s.folded FROM unnest(firsts) AS s WHERE s.stage = at_stage);
        IF part <> '{}' THEN
            done := done || array(SELECT e FROM tenure.enqueue_turn(part, true) AS e);
        END IF;
    END LOOP;
    IF lasts <> '{}' THEN
        PERFORM tenure.retire_superseded(array(
            SELECT s.folded FROM unnest(firsts) AS s WHERE s.era = 1));
        PERFORM tenure.skip_superseded(array(
            SELECT s FROM unnest(firsts) AS s WHERE s.stage = 3 AND s.successor IS NOT NULL));
        PERFORM tenure.insert_jobs(lasts);
        done := done || array(
            SELECT (s.first, (s.job).id, (s.job).generation, 'enqueued')::tenure.enqueued
            FROM unnest(firsts) AS s WHERE s.stage = 3);
        IF EXISTS (SELECT FROM unnest(news) AS n WHERE n.tags IS NOT NULL) THEN
            PERFORM tenure.write_tags(
                array(SELECT s.folded FROM unnest(firsts) AS s WHERE s.stage = 3), done);
        END IF;
    END IF;
    PERFORM tenure.decide_kept(news);
    -- A lane is to be called for the content that came last.
    IF EXISTS (SELECT FROM unnest(news) AS n WHERE n.lane IS NOT NULL) THEN
        PERFORM tenure.call_lanes(array(SELECT d.id FROM unnest(done) AS d));
    END IF;
    RETURN QUERY SELECT t.* FROM tenure.tell_series(series, done) AS t;
END $$;

-- What the jobs of a key in one call come to, as if each had come alone, in three stages:
--   1  keeping ones that come before all others: what is there stands for all, or the first;
--   2  from the first coalescing or debounced one on, as long as none supersedes: one job, with
--      the identity of the first and the content of the last;
--   3  an era from each superseding one on, with the content of the last that is not keeping; an
--      era's job makes way for that of the next, its `successor`.
-- `content` is the generation of the content at that point, `folded` what its first one comes to.
CREATE OR REPLACE FUNCTION tenure.fold_series(news tenure.new_job[]) RETURNS tenure.in_series[]
LANGUAGE plpgsql AS $$
BEGIN
    RETURN array(
        SELECT (g.n, g.stage, g.era, g.first, g.content, (
            (g.n).ordinal, 1, (g.n).id, (g.n).kind, (g.n).queue, (g.n).key,
            CASE g.stage WHEN 1 THEN 'keeping' WHEN 2 THEN l.mode ELSE 'superseding' END,
            l.generation, (g.n).oldest, l.payload, l.payload_version, l.priority,
            CASE WHEN g.stage = 3 AND l.mode = 'debounced'
                 THEN least(l.run_at, clock_timestamp() + l.max_wait) ELSE l.run_at END,
            (g.n).max_attempts, l.not_after, (g.n).overlap, l.max_wait, (g.n).lane,
            (g.n).lane_max_running, (g.n).lane_min_interval, (g.n).batch_id, (g.n).parent_id,
            (g.n).retry_of, l.trace, l.calendar, (g.n).is_given,
            (g.n).waits, (g.n).within, (g.n).lane_burst, (g.n).lane_weight,
            (g.n).lane_strict, CASE g.stage WHEN 1 THEN (g.n).tags ELSE g.tags END)::tenure.new_job,
            g.successor)::tenure.in_series
        FROM (
            SELECT s.n, s.stage, s.era, s.successor,
                   first_value((s.n).ordinal) OVER era AS first,
                   max((s.n).generation) FILTER (WHERE (s.n).mode <> 'keeping') OVER era AS content,
                   first_value(s.n) OVER (
                       PARTITION BY (s.n).kind, (s.n).key, s.stage, s.era
                       ORDER BY (s.n).mode = 'keeping', (s.n).ordinal DESC) AS last,
                   first_value((s.n).tags) OVER (
                       PARTITION BY (s.n).kind, (s.n).key, s.stage, s.era
                       ORDER BY (s.n).mode = 'keeping', (s.n).tags IS NULL, (s.n).ordinal DESC)
                       AS tags
            FROM (
                SELECT p.n, p.era, p.successor,
                       CASE WHEN p.era > 0 THEN 3 WHEN p.takes_content THEN 2 ELSE 1 END AS stage
                FROM (
                    SELECT n, count(*) FILTER (WHERE n.mode = 'superseding') OVER so_far AS era,
                           bool_or(n.mode <> 'keeping') OVER so_far AS takes_content,
                           lead(n.id) OVER (PARTITION BY n.kind, n.key, n.mode = 'superseding'
                                            ORDER BY n.ordinal) AS successor
                    FROM unnest(news) AS n
                    WINDOW so_far AS (PARTITION BY n.kind, n.key ORDER BY n.ordinal)) AS p) AS s
            WINDOW era AS (PARTITION BY (s.n).kind, (s.n).key, s.stage, s.era
                           ORDER BY (s.n).ordinal)) AS g
        CROSS JOIN LATERAL unnest(ARRAY[CASE g.stage WHEN 1 THEN g.n ELSE g.last END]) AS l);
END $$;

-- Draws a generation for each of several jobs of a key, in their order, and writes the subjects
-- once. They are locked here, all of them.
CREATE OR REPLACE FUNCTION tenure.issue_in_order(news tenure.new_job[]) RETURNS tenure.new_job[]
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.lock_or_make_subjects(array(SELECT n.kind FROM unnest(news) AS n),
                                         array(SELECT n.key FROM unnest(news) AS n));
    news := array(
        SELECT (w.ordinal, w.turn, w.id, w.kind, w.queue, w.key, w.mode,
                nextval('tenure.generation'), w.lowest, w.payload, w.payload_version, w.priority,
                w.run_at, w.max_attempts, w.not_after, w.overlap, w.max_wait, w.lane,
                w.lane_max_running, w.lane_min_interval, w.batch_id, w.parent_id, w.retry_of,
                w.trace, w.calendar, w.is_given, w.waits, w.within,
                w.lane_burst, w.lane_weight, w.lane_strict, w.tags)::tenure.new_job
        FROM (SELECT n.*, k.lowest FROM unnest(news) AS n
              JOIN (SELECT d.kind, d.key,
                           coalesce(greatest(s.floor, s.committed + 1), 0) AS lowest
                    FROM (SELECT DISTINCT u.kind, u.key FROM unnest(news) AS u) AS d
                    LEFT JOIN LATERAL tenure.subject_of(d.kind, d.key) AS s ON true
                    OFFSET 0) AS k ON k.kind = n.kind AND k.key = n.key
              ORDER BY n.ordinal OFFSET 0) AS w);
    -- Its entry in the index names the row to change, whatever the statistics say; `committed`
    -- only carries the new number there.
    INSERT INTO tenure.subject AS s (kind, key, issued, floor, committed)
    SELECT w.kind, w.key, coalesce(o.issued, w.newest), coalesce(w.floor, 0),
           CASE WHEN o.issued IS NULL THEN 0 ELSE w.newest END
    FROM (SELECT n.kind, n.key, max(n.generation) AS newest,
                 max(n.generation) FILTER (WHERE n.mode = 'superseding') AS floor
          FROM unnest(news) AS n GROUP BY n.kind, n.key) AS w
    LEFT JOIN LATERAL tenure.subject_of(w.kind, w.key) AS o ON true
    ON CONFLICT (kind, key, issued) DO UPDATE
    SET issued = EXCLUDED.committed, floor = greatest(s.floor, EXCLUDED.floor),
        touched_at = clock_timestamp();
    RETURN news;
END $$;

-- What each job of a series is told, as if it had come alone; `done` is what became of the first
-- ones.
CREATE OR REPLACE FUNCTION tenure.tell_series(series tenure.in_series[], done tenure.enqueued[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
    RETURN QUERY
    SELECT j.ordinal, d.id,
           CASE WHEN s.stage = 1 THEN d.generation
                WHEN j.mode = 'keeping' THEN s.content ELSE j.generation END,
           CASE WHEN j.ordinal = s.first THEN d.result
                WHEN j.mode = 'keeping' THEN 'kept' ELSE 'updated' END
    FROM unnest(series) AS s
    JOIN unnest(done) AS d ON d.ordinal = s.first,
    LATERAL (SELECT (s.job).ordinal, (s.job).mode, (s.job).generation) AS j;
END $$;

-- Jobs without a row of their own: each was superseded by a later one of its call.
CREATE OR REPLACE FUNCTION tenure.skip_superseded(series tenure.in_series[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO tenure.job_history (
        id, batch_id, parent_id, retry_of, superseded_by, generation, run_at, created_at, outcome,
        attempt, max_attempts, runs, payload_version, priority, kind, queue, key, lane, payload,
        reason, trace)
    SELECT f.id, f.batch_id, f.parent_id, f.retry_of, s.successor, f.generation, f.run_at,
           clock_timestamp(), 'superseded', 0, f.max_attempts, 0, f.payload_version, f.priority,
           f.kind, f.queue, f.key, f.lane, f.payload, 'superseded before it ran', f.trace
    FROM unnest(series) AS s CROSS JOIN LATERAL unnest(ARRAY[s.folded]) AS f;
END $$;
