-- The job that a keeping enqueue returns: the unfinished one, if it is not on its way out, by
-- itself or with its batch, nor one that will not start any more. Else, for an enqueue that says
-- within which time, the newest that was enqueued so and is completed. The subjects are locked.
CREATE OR REPLACE FUNCTION tenure.find_kept(news tenure.new_job[]) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    found tenure.enqueued[];
BEGIN
    found := array(
        SELECT DISTINCT ON (n.ordinal) (n.ordinal, j.id, j.generation, 'kept')::tenure.enqueued
        FROM unnest(news) AS n
        CROSS JOIN LATERAL (
            SELECT j.id, j.generation, j.ending_at, j.state, j.not_after, j.batch_id,
                   j.waits_for_jobs
            FROM tenure.job j
            WHERE j.kind = n.kind AND j.key = n.key AND j.generation >= n.oldest OFFSET 0) AS j
        WHERE n.mode = 'keeping' AND j.ending_at IS NULL
          AND (j.state = 'running' OR j.not_after IS NULL OR j.not_after > clock_timestamp())
          AND NOT EXISTS (SELECT FROM tenure.batch_ending(j.batch_id))
          AND NOT (j.waits_for_jobs AND j.state = 'waiting' AND tenure.has_failed(j.id))
        ORDER BY n.ordinal, j.generation DESC);
    RETURN QUERY SELECT f.* FROM unnest(found) AS f;
    IF NOT EXISTS (SELECT FROM unnest(news) AS n WHERE n.within IS NOT NULL) THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT n.ordinal, k.job_id, k.generation, 'kept'::text
    FROM unnest(news) AS n
    CROSS JOIN LATERAL tenure.subject_of(n.kind, n.key) AS s
    CROSS JOIN LATERAL (
        SELECT k.job_id, k.generation FROM tenure.kept_key k
        WHERE k.kind = n.kind AND k.key = n.key AND k.generation <= s.committed
          AND k.made_at > clock_timestamp() - tenure.plain_span(n.within)
          -- Further ahead than that, the clock was set back, and nobody saw it (`follow_clock`): a
          -- key is not held until that time comes.
          AND k.made_at < clock_timestamp() + tenure.plain_span(n.within)
          -- A newer one was committed, and this one given up: it stands for nothing.
          AND NOT EXISTS (SELECT FROM tenure.job_history h
                          WHERE h.id = k.job_id AND h.outcome <> 'completed')
        ORDER BY k.generation DESC LIMIT 1) AS k
    WHERE n.mode = 'keeping' AND n.within IS NOT NULL
      AND n.ordinal NOT IN (SELECT f.ordinal FROM unnest(found) AS f);
END $$;

-- A span in seconds: months and days, of two signs perhaps, are one time where they are compared
-- and another where they are added.
CREATE OR REPLACE FUNCTION tenure.plain_span(span interval) RETURNS interval
LANGUAGE sql IMMUTABLE AS $$
    SELECT make_interval(secs => extract(epoch FROM span)::float8)
$$;

-- Writes down for how long new jobs stand for their keys. The subjects are locked.
CREATE OR REPLACE FUNCTION tenure.keep_keys(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    moment CONSTANT timestamptz := clock_timestamp();
BEGIN
    INSERT INTO tenure.kept_key (kind, key, generation, job_id, made_at, kept_until)
    SELECT n.kind, n.key, n.generation, n.id, moment, moment + tenure.plain_span(n.within)
    FROM unnest(news) AS n WHERE n.mode = 'keeping' AND n.within IS NOT NULL
    ORDER BY n.kind, n.key;
END $$;
