-- Lets the jobs start that waited for a run of their key to let go.
CREATE OR REPLACE FUNCTION tenure.release_successors(subjects tenure.subject[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    ids uuid[] := array(
        SELECT j.id FROM unnest(subjects) AS s CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j WHERE j.kind = s.kind AND j.key = s.key
              AND j.generation >= greatest(s.floor, s.committed + 1)
              AND j.state = 'waiting' AND j.waits_for_key OFFSET 0) AS j
        WHERE NOT EXISTS (SELECT FROM tenure.job r WHERE r.kind = s.kind AND r.key = s.key
                            AND r.state = 'running' OFFSET 0));
BEGIN
    IF ids = '{}' THEN
        RETURN;
    END IF;
    UPDATE tenure.job j
    SET waits_for_key = false,
        run_at = greatest(j.run_at, clock_timestamp()),  -- not behind anyone's claim position
        state = CASE WHEN j.waits_for_jobs THEN 'waiting'
                     WHEN j.run_at > clock_timestamp() THEN 'scheduled'
                     ELSE 'available' END::tenure.job_state
    WHERE j.id = ANY (ids);
    PERFORM tenure.call_lanes(ids);
END $$;
