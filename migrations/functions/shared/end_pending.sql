-- Moves pending jobs, locked by the caller, into history: each made way for its successor.
CREATE OR REPLACE FUNCTION tenure.move_superseded(ids uuid[], successors uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    WITH gone AS (
        DELETE FROM tenure.job j WHERE j.id = ANY (ids) RETURNING j.*
    )
    INSERT INTO tenure.job_history (
        id, batch_id, parent_id, retry_of, superseded_by, generation, run_at, created_at,
        outcome, attempt, max_attempts, runs, payload_version, priority, kind, queue, key, lane,
        payload, reason, trace)
    SELECT id, batch_id, parent_id, retry_of, s.successor, generation, run_at, created_at,
           'superseded', attempt, max_attempts, runs, payload_version, priority, kind, queue, key,
           lane, payload, 'superseded before it ran', trace
    FROM gone JOIN unnest(ids, successors) AS s (id, successor) USING (id);
END $$;

-- Moves a pending job into history. It is locked, and so is its subject.
CREATE OR REPLACE FUNCTION tenure.end_pending(job uuid, how tenure.job_outcome, why text)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH gone AS (DELETE FROM tenure.job j WHERE j.id = job RETURNING j.*)
    INSERT INTO tenure.job_history (
        id, batch_id, parent_id, retry_of, generation, run_at, created_at, outcome, attempt,
        max_attempts, runs, payload_version, priority, kind, queue, key, lane, payload, reason,
        trace)
    SELECT g.id, g.batch_id, g.parent_id, g.retry_of, g.generation, g.run_at, g.created_at,
           how, g.attempt, g.max_attempts, g.runs, g.payload_version, g.priority, g.kind,
           g.queue, g.key, g.lane, g.payload, why, g.trace
    FROM gone g;
END $$;
