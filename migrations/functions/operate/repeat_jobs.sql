-- Runs finished jobs again, each as a new job that names the old, and waits as that did; all in
-- one enqueue, whose keys are locked sorted as everywhere. Where its batch is over, a job runs
-- alone. Those that have been run again stay as they are (`kept`). Where one can't be enqueued each
-- goes by itself: `refused` and `busy` ones hold up no other.
CREATE OR REPLACE FUNCTION tenure.repeat_jobs(
    ids uuid[], by_whom text DEFAULT NULL, note jsonb DEFAULT NULL)
RETURNS TABLE (id uuid, became text, new_id uuid)
LANGUAGE plpgsql SET lock_timeout = '2s'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    past tenure.job_history[] := array(
        SELECT l.past FROM (SELECT DISTINCT u.id FROM unnest(ids) AS u (id) ORDER BY u.id) AS u
        CROSS JOIN LATERAL (
            SELECT h AS past FROM tenure.job_history h WHERE h.id = u.id LIMIT 1
            FOR NO KEY UPDATE) AS l);
    -- Those that waited for each other do so again.
    names jsonb := (
        SELECT coalesce(jsonb_object_agg(h.id, tenure.new_id()), '{}') FROM unnest(past) AS h
        WHERE h.retried_as IS NULL AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = h.id));
    jobs jsonb[] := array(
        SELECT tenure.job_again(h) || jsonb_build_object('new_id', names -> h.id::text)
            || tenure.waits_again(h.id, names)
        FROM unnest(past) AS h WHERE names ? h.id::text);
    part jsonb[];
BEGIN
    RETURN QUERY
        SELECT h.id, 'kept', h.retried_as FROM unnest(past) AS h WHERE h.retried_as IS NOT NULL;
    -- All together; where that fails, each by itself, and waiting for nobody for long.
    FOR turn IN 0 .. cardinality(jobs) LOOP
        EXIT WHEN jobs = '{}';
        part := CASE WHEN turn = 0 THEN jobs ELSE jobs[turn:turn] END;
        BEGIN
            RETURN QUERY
                WITH made AS MATERIALIZED (
                    SELECT (part[e.ordinal] ->> 'retry_of')::uuid AS old, e.id, e.result
                    FROM tenure.enqueue_new(tenure.read_jobs(to_jsonb(part))) AS e
                ), marked AS (
                    UPDATE tenure.job_history h SET retried_as = m.id
                    FROM made m WHERE h.id = m.old AND m.result <> 'kept'
                      AND h.id = ANY (array(SELECT o.old FROM made o))
                )
                SELECT m.old, CASE m.result WHEN 'kept' THEN 'kept' ELSE 'retried' END, m.id
                FROM made m;
            PERFORM tenure.copy_steps(h.id, h.retried_as) FROM tenure.job_history h
            WHERE h.id = ANY (array(SELECT (p.job ->> 'retry_of')::uuid
                                    FROM unnest(part) AS p (job)))
              AND h.retried_as IS NOT NULL;
            EXIT WHEN turn = 0;
        EXCEPTION WHEN OTHERS THEN
            IF turn = 0 THEN
                PERFORM set_config('lock_timeout', '50ms', true);
                CONTINUE;
            END IF;
            IF tenure.is_passing(SQLSTATE) AND SQLSTATE NOT IN ('55P03', '40P01') THEN
                RAISE;
            END IF;
            id := part[1] ->> 'retry_of';
            became := CASE WHEN tenure.is_passing(SQLSTATE) THEN 'busy' ELSE 'refused' END;
            new_id := NULL;
            RETURN NEXT;
        END;
    END LOOP;
    PERFORM tenure.note_jobs(
        'retry', array(SELECT h.id FROM unnest(past) AS p
                       JOIN tenure.job_history h ON h.id = p.id AND h.id = ANY (
                           array(SELECT q.id FROM unnest(past) AS q))
                       WHERE p.retried_as IS NULL AND h.retried_as IS NOT NULL),
        by_whom, note);
END $$;
