-- What is told of a job, or of a batch, to whoever knows its id; and what coordinators may
-- forget, within bounds.
--
-- Why: see 0015. An id has 74 random bits: who has it made the job, or was told of it.
-- Locks: none but of what is forgotten.

-- Which of these queues keep no completed jobs.
CREATE FUNCTION tenure.forgetful_queues(queues text[]) RETURNS SETOF text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY SELECT q.name FROM tenure.queue q
                 WHERE q.name = ANY (queues) AND NOT q.keep_completed;
END $$;

-- Where a job stands, for those who wait for its end. No row where it is neither unfinished nor in
-- history; no outcome while it is unfinished.
CREATE FUNCTION tenure.read_end(job uuid)
RETURNS TABLE (
    id uuid, kind text, key text, outcome text, result jsonb, reason text, superseded_by uuid,
    last_error text)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    -- One snapshot: a job that ends meanwhile is either still there or in history.
    RETURN QUERY
    SELECT j.id, j.kind, j.key, NULL::text, NULL::jsonb, NULL::text, NULL::uuid, NULL::text
    FROM tenure.job j WHERE j.id = read_end.job
    UNION ALL
    SELECT h.id, h.kind, h.key, h.outcome::text, h.result, h.reason,
           h.superseded_by, CASE WHEN h.outcome = 'discarded' THEN (
               SELECT e.message FROM tenure.attempt_error e
               WHERE e.job_id = h.id ORDER BY e.fence DESC LIMIT 1) END
    FROM tenure.job_history h WHERE h.id = read_end.job;
END $$;

-- Those of the jobs that are there, unfinished or in history, with their generations.
CREATE FUNCTION tenure.find_jobs(ids uuid[]) RETURNS TABLE (id uuid, generation bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT j.id, j.generation FROM tenure.job j WHERE j.id = ANY (ids)
    UNION ALL
    SELECT h.id, h.generation FROM tenure.job_history h WHERE h.id = ANY (ids);
END $$;

-- How far a batch is, all of one moment; what has ended is counted where it is asked for.
CREATE FUNCTION tenure.batch_progress(batch uuid, with_ended boolean)
RETURNS TABLE (
    started_at timestamptz, cancelled_at timestamptz, cancelled_by text, ended_at timestamptz,
    unfinished bigint, running bigint, held bigint, completed bigint, cancelled bigint,
    superseded bigint, discarded bigint, refused text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT r.created_at, r.ending_at, r.ending_by, r.ended_at, live.*, past.*, r.refused
    FROM tenure.batch r
    CROSS JOIN LATERAL (
        SELECT count(*), count(*) FILTER (WHERE j.state = 'running'),
               count(*) FILTER (WHERE j.state = 'held')
        FROM tenure.job j WHERE j.batch_id = r.id) AS live
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE h.outcome = 'completed'),
               count(*) FILTER (WHERE h.outcome = 'cancelled'),
               count(*) FILTER (WHERE h.outcome = 'superseded'),
               count(*) FILTER (WHERE h.outcome = 'discarded')
        FROM tenure.job_history h WHERE h.batch_id = r.id AND with_ended) AS past
    WHERE r.id = batch_progress.batch;
END $$;

-- Makes history's partitions, as `make_partitions`, for a month ahead at most.
CREATE FUNCTION tenure.prepare_history(parent text, days integer) RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
    IF (days BETWEEN 0 AND 31) IS NOT TRUE THEN
        RAISE EXCEPTION 'partitions for % days ahead are not made', days
            USING ERRCODE = 'TN003', HINT = 'give 0 to 31 days';
    END IF;
    RETURN tenure.make_partitions(parent, days);
END $$;

-- Drops history's partitions, as `drop_partitions`: nothing that ended within the hour.
CREATE FUNCTION tenure.forget_history(parent text, kept interval) RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
    IF (kept >= interval '1 hour') IS NOT TRUE THEN
        RAISE EXCEPTION 'history is kept for an hour at least, and not for %', kept
            USING ERRCODE = 'TN003', HINT = 'give 1 hour or more';
    END IF;
    RETURN tenure.drop_partitions(parent, kept);
END $$;

-- Forgets sessions that have been over for a week, and notes of theirs that came late.
CREATE FUNCTION tenure.forget_sessions() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH gone AS (
        DELETE FROM tenure.session s
        WHERE s.reclaimed_at < clock_timestamp() - interval '7 days' RETURNING s.id
    )
    DELETE FROM tenure.session_begun b WHERE b.session_id IN (SELECT g.id FROM gone g);
END $$;

-- Forgets what was reported of runs whose jobs are over: nobody asks for it as long as for the
-- jobs.
CREATE FUNCTION tenure.drop_progress(kept interval) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM tenure.job_progress p
    WHERE p.reported_at < clock_timestamp() - kept
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = p.job_id);
END $$;
