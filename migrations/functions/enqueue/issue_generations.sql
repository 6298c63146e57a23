-- Locks the subjects of one turn and draws each job's generation under its lock.
CREATE OR REPLACE FUNCTION tenure.issue_generations(news tenure.new_job[]) RETURNS tenure.new_job[]
LANGUAGE plpgsql AS $$
DECLARE
    numbered tenure.new_job[];
BEGIN
    IF tenure.lock_or_make_subjects(array(SELECT n.kind FROM unnest(news) AS n),
                                    array(SELECT n.key FROM unnest(news) AS n))
       = cardinality(news) THEN
        RETURN tenure.begin_subjects(news);
    END IF;
    -- Its entry in the index names the row to change, whatever the statistics say. A subquery
    -- draws for each row.
    WITH was AS MATERIALIZED (
        SELECT n.*, s.issued, greatest(s.floor, s.committed + 1) AS lowest
        FROM unnest(news) AS n LEFT JOIN LATERAL tenure.subject_of(n.kind, n.key) AS s ON true
    ), drawn AS (
        INSERT INTO tenure.subject AS s (kind, key, issued, floor)
        SELECT w.kind, w.key, w.issued, CASE WHEN w.mode = 'superseding' THEN w.issued ELSE 0 END
        FROM (SELECT o.kind, o.key, o.mode, coalesce(o.issued, nextval('tenure.generation'))
              FROM was AS o) AS w (kind, key, mode, issued)
        ON CONFLICT (kind, key, issued) DO UPDATE
        SET (issued, floor, touched_at) = (
            SELECT g, CASE WHEN EXCLUDED.floor > 0 THEN g ELSE s.floor END, clock_timestamp()
            FROM (SELECT nextval('tenure.generation')) AS n (g))
        RETURNING s.kind, s.key, s.issued
    )
    SELECT array_agg((n.ordinal, n.turn, n.id, n.kind, n.queue, n.key, n.mode, d.issued,
        n.lowest, n.payload, n.payload_version, n.priority, n.run_at, n.max_attempts,
        n.not_after, n.overlap, n.max_wait, n.lane, n.lane_max_running, n.lane_min_interval,
        n.batch_id, n.parent_id, n.retry_of, n.trace, n.calendar, n.is_given,
        n.waits, n.within, n.lane_burst, n.lane_weight, n.lane_strict, n.tags)::tenure.new_job)
    INTO numbered
    FROM was AS n JOIN drawn d ON d.kind = n.kind AND d.key = n.key;
    RETURN numbered;
END $$;

-- Draws the first generations of new subjects.
CREATE OR REPLACE FUNCTION tenure.begin_subjects(news tenure.new_job[]) RETURNS tenure.new_job[]
LANGUAGE plpgsql AS $$
BEGIN
    news := array(SELECT (
        n.ordinal, n.turn, n.id, n.kind, n.queue, n.key, n.mode, nextval('tenure.generation'),
        NULL, n.payload, n.payload_version, n.priority, n.run_at, n.max_attempts,
        n.not_after, n.overlap, n.max_wait, n.lane, n.lane_max_running, n.lane_min_interval,
        n.batch_id, n.parent_id, n.retry_of, n.trace, n.calendar, n.is_given,
        n.waits, n.within, n.lane_burst, n.lane_weight, n.lane_strict, n.tags)::tenure.new_job
        FROM unnest(news) AS n);
    INSERT INTO tenure.subject (kind, key, issued, floor)
    SELECT n.kind, n.key, n.generation,
           CASE WHEN n.mode = 'superseding' THEN n.generation ELSE 0 END
    FROM unnest(news) AS n;
    RETURN news;
END $$;
