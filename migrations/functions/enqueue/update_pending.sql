-- Coalescing and debounced jobs meet the pending one of their key and become its content;
-- a debounced one moves its run time too, never past the first enqueue + max_wait.
CREATE OR REPLACE FUNCTION tenure.update_pending(news tenure.new_job[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH pending AS MATERIALIZED (
        SELECT l.id, n.ordinal AS place, n.generation AS newest, n.payload AS content,
               n.payload_version AS version, n.priority AS rank, n.trace AS context, n.calendar,
               n.not_after,
               CASE WHEN n.mode = 'debounced' AND n.max_wait IS NOT NULL
                    THEN least(n.run_at, l.created_at + n.max_wait) ELSE n.run_at END AS due
        FROM (
            SELECT j.id AS found, m.* FROM unnest(news) AS m CROSS JOIN LATERAL (
                SELECT j.id FROM tenure.job j
                WHERE j.kind = m.kind AND j.key = m.key AND j.generation >= m.oldest
                  AND j.state <> 'running' OFFSET 0) AS j
            WHERE m.mode IN ('coalescing', 'debounced') ORDER BY j.id) AS n
        CROSS JOIN LATERAL (
            SELECT j.id, j.created_at FROM tenure.job j
            WHERE j.id = n.found AND j.state <> 'running' FOR UPDATE) AS l
    ), undone AS (
        -- What was done was done of its old content.
        DELETE FROM tenure.job_step s
        WHERE s.job_id = ANY (array(SELECT q.id FROM pending AS q))
    ), unwaited AS (
        DELETE FROM tenure.job_wait w
        WHERE w.job_id = ANY (array(SELECT q.id FROM pending AS q))
    )
    UPDATE tenure.job j
    SET payload = p.content, payload_version = p.version, generation = p.newest, run_at = p.due,
        priority = p.rank, trace = p.context, calendar = p.calendar, not_after = p.not_after,
        attempt = 0,
        hold_reason = NULL, hold_versions = NULL,
        state = CASE WHEN j.state = 'waiting' AND (j.waits_for_key OR j.waits_for_jobs)
                     THEN 'waiting'
                     WHEN p.due > clock_timestamp() THEN 'scheduled'
                     ELSE 'available' END::tenure.job_state
    FROM pending p
    WHERE j.id = p.id AND j.id = ANY (array(SELECT q.id FROM pending AS q))
    RETURNING p.place, j.id, j.generation, 'updated'::text;
END $$;
