-- The unfinished job that a keeping enqueue returns: not one that is on its way out, by itself or
-- with its batch, nor one that will not start any more.
CREATE OR REPLACE FUNCTION tenure.find_kept(news tenure.new_job[]) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT ON (n.ordinal) n.ordinal, j.id, j.generation, 'kept'::text
    FROM unnest(news) AS n
    CROSS JOIN LATERAL (SELECT j.id, j.generation, j.ending_at, j.state, j.not_after, j.batch_id,
                               j.waits_for_jobs
                        FROM tenure.job j
                        WHERE j.kind = n.kind AND j.key = n.key AND j.generation >= n.oldest
                        OFFSET 0) AS j
    WHERE n.mode = 'keeping' AND j.ending_at IS NULL
      AND (j.state = 'running' OR j.not_after IS NULL OR j.not_after > clock_timestamp())
      AND NOT EXISTS (SELECT FROM tenure.batch_ending(j.batch_id))
      AND NOT (j.waits_for_jobs AND j.state = 'waiting' AND tenure.has_failed(j.id))
    ORDER BY n.ordinal, j.generation DESC;
END $$;
