-- Writes runs that a claim row speaks for on their jobs' own rows, as if they had been claimed one
-- by one: from then on those count. For whoever needs a run's row: an end that is more than a plain
-- completion, a hold, an operator's verb. `fences` null: of whichever claim. Returns how many.
--
-- A job is locked first, by id; where it has been written meanwhile, by whomever, it is left alone.
-- With `patient` false, what is locked just then is, too.
CREATE OR REPLACE FUNCTION tenure.unfold(
    wanted uuid[], fences bigint[] DEFAULT NULL, patient boolean DEFAULT true) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    numbers CONSTANT bigint[] := CASE
        WHEN fences IS NULL THEN array(SELECT c.number FROM tenure.claim_row c)
        ELSE array(
            SELECT c.number FROM tenure.claim_row c
            WHERE c.number = ANY (array(
                SELECT DISTINCT tenure.claim_of(f.fence) FROM unnest(fences) AS f (fence)))) END;
BEGIN
    IF numbers = '{}' THEN
        RETURN 0;
    END IF;
    RETURN tenure.write_runs(numbers, wanted, fences, patient);
END $$;

-- The same for these claim rows; `wanted` null: for all that they speak for.
CREATE OR REPLACE FUNCTION tenure.write_runs(
    numbers bigint[], wanted uuid[], fences bigint[], patient boolean) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    spoken_for CONSTANT tenure.folded_run[] := array(
        SELECT f FROM tenure.folded_run f
        WHERE f.number = ANY (numbers)
          AND (wanted IS NULL OR f.job_id IN (SELECT w.id FROM unnest(wanted) AS w (id)))
          AND (fences IS NULL OR f.fence IN (SELECT w.fence FROM unnest(fences) AS w (fence)))
        ORDER BY f.job_id);
    mine  uuid[];
    moved integer;
BEGIN
    mine := CASE WHEN patient THEN array(
        SELECT l.id FROM unnest(spoken_for) AS f CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.id = f.job_id AND j.created_at = f.made AND j.runs = 0 AND j.fence IS NULL
            FOR NO KEY UPDATE) AS l)
    ELSE array(
        SELECT l.id FROM unnest(spoken_for) AS f CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.id = f.job_id AND j.created_at = f.made AND j.runs = 0 AND j.fence IS NULL
            FOR NO KEY UPDATE SKIP LOCKED) AS l) END;
    IF mine = '{}' THEN
        RETURN 0;
    END IF;
    UPDATE tenure.job j
    SET state = 'running', session_id = f.session_id, fence = f.fence,
        attempt = least(j.attempt, 2147483646) + 1, runs = 1, claimed_at = f.claimed_at
    FROM unnest(spoken_for) AS f
    WHERE j.id = f.job_id AND j.id = ANY (mine);
    GET DIAGNOSTICS moved = ROW_COUNT;
    RETURN moved;
END $$;
