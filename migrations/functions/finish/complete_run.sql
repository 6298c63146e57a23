-- Completes one run that enqueues nothing: the steps of `end_runs` for it, without arrays, at a
-- third of their cost. False, and nothing is written, where there is more to decide.
CREATE OR REPLACE FUNCTION tenure.complete_run(job uuid, fence bigint, result jsonb) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    mine tenure.job;
    was  tenure.subject;
BEGIN
    SELECT * INTO mine FROM tenure.job j WHERE j.id = complete_run.job;
    IF mine.fence IS NULL AND mine.runs = 0 THEN
        PERFORM tenure.unfold(ARRAY[complete_run.job], ARRAY[complete_run.fence]);
    END IF;
    IF mine.key IS NOT NULL THEN
        PERFORM FROM tenure.subject_lock s
        WHERE s.kind = mine.kind AND s.key = mine.key FOR NO KEY UPDATE;
        PERFORM tenure.require_current_view(ARRAY[mine.kind], ARRAY[mine.key]);
    END IF;
    SELECT * INTO mine FROM tenure.job j
    WHERE j.id = complete_run.job AND j.fence = complete_run.fence FOR UPDATE;
    IF mine.id IS NULL OR mine.ending_at IS NOT NULL OR mine.batch_id IS NOT NULL
       OR mine.has_waiters THEN
        RETURN false;
    END IF;
    PERFORM tenure.require_durable_commit();
    IF mine.key IS NOT NULL THEN
        SELECT * INTO was FROM tenure.subject_of(mine.kind, mine.key);
        -- A successor may have to be let go, or who waits for the key; where the subject is gone,
        -- it has to be made anew.
        IF was.issued IS NULL OR was.floor > mine.generation
           OR was.committed >= mine.generation OR EXISTS (
            SELECT FROM tenure.job n WHERE n.kind = mine.kind AND n.key = mine.key
              AND n.generation >= greatest(was.floor, was.committed + 1)
              AND n.id <> mine.id OFFSET 0) THEN
            RETURN false;
        ELSIF was.is_awaited THEN
            RETURN false;
        END IF;
        UPDATE tenure.subject s SET committed = mine.generation, touched_at = clock_timestamp()
        WHERE s.kind = mine.kind AND s.key = mine.key AND s.issued = was.issued;
    END IF;
    DELETE FROM tenure.job j WHERE j.id = mine.id;
    INSERT INTO tenure.job_history (
        id, parent_id, retry_of, generation, fence, session_id, run_at, created_at, claimed_at,
        outcome, attempt, max_attempts, runs, payload_version, priority, kind, queue, key, lane,
        payload, result, trace)
    SELECT mine.id, mine.parent_id, mine.retry_of, mine.generation, mine.fence, mine.session_id,
           mine.run_at, mine.created_at, mine.claimed_at, 'completed', mine.attempt,
           mine.max_attempts, mine.runs, mine.payload_version, mine.priority, mine.kind,
           mine.queue, mine.key, mine.lane, mine.payload, complete_run.result, mine.trace
    WHERE NOT EXISTS (
        SELECT FROM tenure.queue q WHERE q.name = mine.queue AND NOT q.keep_completed);
    RETURN true;
END $$;
