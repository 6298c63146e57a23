-- The net under those that wait for other jobs: writes down ends that nobody has, and has
-- `settle_ends` look again at those of waiters that nobody let go. No statement leaves one; returns
-- how many it found.
CREATE OR REPLACE FUNCTION tenure.mend_ends(ids uuid[]) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    linked CONSTANT uuid[] := array(
        SELECT j.id FROM unnest(ids) AS i (id) CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.id = i.id AND j.state = 'waiting' AND j.waits_for_jobs OFFSET 0) AS j);
    lost   tenure.job_after[];
    ended  uuid[];
    mended integer;
    again  integer;
BEGIN
    IF linked = '{}' THEN
        RETURN 0;
    END IF;
    lost := array(
        SELECT DISTINCT a.edge FROM unnest(linked) AS l (id) CROSS JOIN LATERAL (
            SELECT (NULL, a.needs, a.made, NULL, NULL)::tenure.job_after AS edge, a.needs, a.made
            FROM tenure.job_after a WHERE a.job_id = l.id OFFSET 0) AS a
        WHERE NOT EXISTS (SELECT FROM tenure.job_end e
                          WHERE e.id = a.needs AND e.made = a.made OFFSET 0)
          AND NOT EXISTS (SELECT FROM tenure.job j
                          WHERE j.id = a.needs AND j.created_at = a.made OFFSET 0)
          AND NOT EXISTS (SELECT FROM tenure.key_wait w WHERE w.id = a.needs OFFSET 0));
    mended := CASE WHEN lost = '{}' THEN 0 ELSE tenure.write_lost(lost) END
        + tenure.mend_keys(linked);
    ended := tenure.without_open(linked);
    UPDATE tenure.job_end e
    SET is_settled = false, settled_to = NULL, again_at = clock_timestamp()
    FROM (
        SELECT o.* FROM unnest(linked) AS l (id) CROSS JOIN LATERAL (
            SELECT o.id, o.made FROM tenure.job_after a
            JOIN tenure.job_end o ON o.id = a.needs AND o.made = a.made
            WHERE a.job_id = l.id
            ORDER BY NOT a.goes_on AND o.outcome <> 'completed' DESC LIMIT 1) AS o
        WHERE l.id = ANY (ended) AND NOT EXISTS (
            SELECT FROM tenure.job_after a
            JOIN tenure.job_end s ON s.id = a.needs AND s.made = a.made
            WHERE a.job_id = l.id AND NOT s.is_settled OFFSET 0) OFFSET 0) AS o
    WHERE e.id = o.id AND e.made = o.made AND e.is_settled;
    GET DIAGNOSTICS again = ROW_COUNT;
    RETURN mended + again;
END $$;

-- Writes down how those ended of whom no end is there, as far as history knows; returns how many.
-- Somebody's open transaction may be about to do so, and is not waited for.
CREATE OR REPLACE FUNCTION tenure.write_lost(lost tenure.job_after[]) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '50ms' AS $$
DECLARE
    written integer;
BEGIN
    INSERT INTO tenure.job_end (id, made, outcome, result, reason)
    SELECT a.needs, a.made, coalesce(h.outcome, 'discarded'), h.result,
           CASE WHEN h.id IS NULL THEN 'nothing is known of its end' ELSE h.reason END
    FROM (SELECT u.needs, u.made FROM unnest(lost) AS u ORDER BY u.needs) AS a
    LEFT JOIN LATERAL (
        SELECT h.* FROM tenure.job_history h
        WHERE h.id = a.needs AND h.created_at = a.made LIMIT 1 FOR KEY SHARE) AS h ON true
    ON CONFLICT (id, made) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    RETURN written;
EXCEPTION WHEN lock_not_available THEN
    RETURN 0;
END $$;
