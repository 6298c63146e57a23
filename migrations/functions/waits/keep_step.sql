-- Keeps a part of a handler as done, in the transaction that holds its writes; `hold_run` comes
-- behind it, and locks. Raises TN001 where the run has lost its job.
CREATE OR REPLACE FUNCTION tenure.keep_step(
    job uuid, fence bigint, name text, type text DEFAULT NULL, result jsonb DEFAULT NULL,
    took interval DEFAULT NULL) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM tenure.check_json('result of a step', keep_step.result);
    PERFORM tenure.add_step(
        keep_step.job, keep_step.fence, keep_step.name, 'done', keep_step.type, keep_step.result,
        keep_step.took);
END $$;

-- Writes what became of a part of a handler.
CREATE OR REPLACE FUNCTION tenure.add_step(
    of_job uuid, by_fence bigint, name text, how tenure.step_way, type text DEFAULT NULL,
    result jsonb DEFAULT NULL, took interval DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM tenure.check_name('the name of a step', add_step.name, 128);
    IF NOT EXISTS (SELECT FROM tenure.job j
                   WHERE j.id = of_job AND tenure.runs_as(j, by_fence)) THEN
        RAISE EXCEPTION 'late result: job % has lost fence %', of_job, by_fence
            USING ERRCODE = 'TN001', DETAIL = 'late',
            HINT = 'roll back; another run of this job, or a newer one, has its place';
    ELSIF (SELECT count(*) FROM (SELECT FROM tenure.job_step s WHERE s.job_id = of_job
                                 LIMIT tenure.most_steps()) AS s) >= tenure.most_steps() THEN
        RAISE EXCEPTION 'job % has % steps, and may have no more', of_job, tenure.most_steps()
            USING ERRCODE = 'TN003', HINT = 'go on in another job, enqueued by this one''s commit';
    END IF;
    INSERT INTO tenure.job_step (job_id, name, fence, how, type, result, took)
    VALUES (of_job, add_step.name, by_fence, add_step.how, left(add_step.type, 1024),
            add_step.result, add_step.took)
    ON CONFLICT (job_id, name) DO NOTHING;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'job % has a step "%" already', of_job, add_step.name
            USING ERRCODE = 'TN003', HINT = 'give each step of a job a name of its own';
    END IF;
END $$;

CREATE OR REPLACE FUNCTION tenure.most_steps() RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT 1000 $$;
