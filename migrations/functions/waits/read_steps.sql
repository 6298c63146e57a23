-- What is behind a job, without the results; of one step alone, with it.
CREATE OR REPLACE FUNCTION tenure.read_steps(job uuid, step text DEFAULT NULL)
RETURNS TABLE (name text, how tenure.step_way, type text, result jsonb)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT s.name, s.how, s.type, CASE WHEN step IS NOT NULL THEN s.result END
    FROM tenure.job_step s
    WHERE s.job_id = read_steps.job AND (step IS NULL OR s.name = step);
END $$;

-- How a wait of a run would end now, as `take_wait` would have it: by the oldest signal of its
-- name, or because its time, which an earlier run began, is over; no row where there is something
-- to wait for. A look without locks, before anything is begun for it.
CREATE OR REPLACE FUNCTION tenure.see_wait(job uuid, step text, signal text DEFAULT NULL)
RETURNS TABLE (how tenure.step_way, id uuid, payload jsonb)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT 'signal'::tenure.step_way, s.id, s.payload FROM tenure.job_signal s
    WHERE s.job_id = see_wait.job AND s.name = see_wait.signal AND s.taken_as IS NULL
    ORDER BY s.sent_at, s.id LIMIT 1;
    IF NOT FOUND THEN
        RETURN QUERY
        SELECT (CASE WHEN signal IS NULL THEN 'time' ELSE 'timeout' END)::tenure.step_way,
               NULL::uuid, NULL::jsonb
        FROM tenure.job_wait w
        WHERE w.job_id = see_wait.job AND w.name = see_wait.step AND w.until <= clock_timestamp();
    END IF;
END $$;
