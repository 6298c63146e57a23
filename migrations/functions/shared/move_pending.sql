-- Moves pending jobs into history; returns how many. They are locked, and so are their subjects.
-- In the order of `ids`: `successors`, what each made way for; `whys`, where each has a reason of
-- its own. `followed`: the caller is about to see to another job of their keys. Called by functions
-- whose settings keep the planner to the index.
CREATE OR REPLACE FUNCTION tenure.move_pending(
    ids uuid[], how tenure.job_outcome, why text, successors uuid[] DEFAULT NULL,
    whys text[] DEFAULT NULL, followed boolean DEFAULT false) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    moved   integer;
    awaited uuid[];
    made    timestamptz[];
    lost    uuid[];
    kinds   text[];
    keys    text[];
    numbers bigint[];
    gives_up CONSTANT boolean := how IN ('discarded', 'cancelled');
BEGIN
    WITH gone AS (
        DELETE FROM tenure.job j WHERE j.id = ANY (ids) RETURNING j.*
    ), past AS (
    INSERT INTO tenure.job_history (
        id, batch_id, parent_id, retry_of, superseded_by, generation, run_at, created_at, outcome,
        attempt, max_attempts, runs, payload_version, priority, kind, queue, key, lane, payload,
        reason, trace)
    SELECT g.id, g.batch_id, g.parent_id, g.retry_of, s.successor, g.generation, g.run_at,
           g.created_at, how, g.attempt, g.max_attempts, g.runs, g.payload_version, g.priority,
           g.kind, g.queue, g.key, g.lane, g.payload, coalesce(s.why, move_pending.why), g.trace
    FROM gone g JOIN unnest(ids, successors, whys) AS s (id, successor, why) ON s.id = g.id)
    SELECT count(*), array_agg(g.id) FILTER (WHERE g.has_waiters),
           array_agg(g.created_at) FILTER (WHERE g.has_waiters),
           array_agg(g.id) FILTER (WHERE gives_up AND g.key IS NOT NULL),
           array_agg(g.kind) FILTER (WHERE gives_up AND g.key IS NOT NULL),
           array_agg(g.key) FILTER (WHERE gives_up AND g.key IS NOT NULL),
           array_agg(g.generation) FILTER (WHERE gives_up AND g.key IS NOT NULL)
    INTO moved, awaited, made, lost, kinds, keys, numbers FROM gone g;
    IF awaited IS NOT NULL THEN
        PERFORM tenure.note_past(awaited, made);
    END IF;
    IF lost IS NOT NULL THEN
        PERFORM tenure.note_given_up(lost, kinds, keys, numbers, how, followed);
    END IF;
    IF how = 'discarded' AND moved > 0 THEN
        PERFORM tenure.write_letters(ids);
    END IF;
    RETURN moved;
END $$;

-- The same for one.
CREATE OR REPLACE FUNCTION tenure.end_pending(job uuid, how tenure.job_outcome, why text)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.move_pending(ARRAY[job], how, why);
END $$;
