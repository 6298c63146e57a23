-- Locks the subjects of running jobs and of follow-ups, in one order. With `patient` it waits;
-- without, it skips, and the jobs of a skipped subject are returned.
CREATE OR REPLACE FUNCTION tenure.lock_subjects(ids uuid[], follow_ups jsonb, patient boolean)
RETURNS uuid[]
LANGUAGE plpgsql AS $$
DECLARE
    locked tenure.subject_lock[];
    keeps  CONSTANT boolean := tenure.keeps_snapshot();
BEGIN
    IF keeps THEN
        PERFORM tenure.require_current_batches_of(ids);
    END IF;
    IF follow_ups IS NOT NULL THEN
        PERFORM tenure.lock_or_make_subjects(array_agg(w.kind), array_agg(w.key)) FROM (
            SELECT j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) AND j.key IS NOT NULL
            UNION ALL
            SELECT f.kind, f.key FROM jsonb_to_recordset(follow_ups) AS f (kind text, key text)
            WHERE f.key IS NOT NULL
            UNION ALL
            SELECT k.kind, k.key FROM jsonb_array_elements(follow_ups) AS f (job)
            CROSS JOIN LATERAL tenure.keys_of_waits(f.job -> 'waits') AS k) AS w;
        -- Before the runs themselves.
        IF follow_ups @> '[{"waits": [{}]}]' THEN
            PERFORM tenure.take_circle_turn(tenure.read_jobs(follow_ups));
        END IF;
        IF keeps THEN
            PERFORM tenure.require_current_jobs(ids);
        END IF;
        RETURN '{}';
    END IF;
    -- `key IS NOT NULL` beside the ids would invite the whole of job_key.
    locked := CASE WHEN patient THEN array(
        SELECT s.subject FROM (
            SELECT DISTINCT j.kind, j.key FROM (
                SELECT j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) OFFSET 0) AS j
            WHERE j.key IS NOT NULL ORDER BY j.kind, j.key) AS w
        CROSS JOIN LATERAL (
            SELECT s AS subject FROM tenure.subject_lock s
            WHERE s.kind = w.kind AND s.key = w.key FOR NO KEY UPDATE) AS s)
    ELSE array(
        SELECT s.subject FROM (
            SELECT DISTINCT j.kind, j.key FROM (
                SELECT j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) OFFSET 0) AS j
            WHERE j.key IS NOT NULL ORDER BY j.kind, j.key) AS w
        CROSS JOIN LATERAL (
            SELECT s AS subject FROM tenure.subject_lock s
            WHERE s.kind = w.kind AND s.key = w.key FOR NO KEY UPDATE SKIP LOCKED) AS s) END;
    PERFORM tenure.require_current_view(
        array(SELECT l.kind FROM unnest(locked) AS l), array(SELECT l.key FROM unnest(locked) AS l))
    WHERE locked <> '{}';
    IF patient THEN
        IF keeps THEN  -- jobs without a key are decided upon too
            PERFORM tenure.require_current_jobs(ids);
        END IF;
        RETURN '{}';
    END IF;
    RETURN array(
        SELECT j.id FROM (
            SELECT j.id, j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) OFFSET 0) AS j
        WHERE j.key IS NOT NULL AND NOT EXISTS (
            SELECT FROM unnest(locked) AS l WHERE l.kind = j.kind AND l.key = j.key));
END $$;
