-- The net under those that wait for a key: decides what nobody has decided that could; returns of
-- how many keys. No statement leaves one. A key that is locked just then is left for another round.
CREATE OR REPLACE FUNCTION tenure.mend_keys(ids uuid[]) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    quiet tenure.subject_lock[];
BEGIN
    quiet := array(
        SELECT l.subject FROM (
            SELECT DISTINCT w.kind, w.key FROM unnest(ids) AS i (id)
            CROSS JOIN LATERAL (
                SELECT a.needs FROM tenure.job_after a WHERE a.job_id = i.id OFFSET 0) AS a
            CROSS JOIN LATERAL (
                SELECT w.* FROM tenure.key_wait w WHERE w.id = a.needs AND w.is_open OFFSET 0) AS w
            WHERE tenure.is_decidable(w.kind, w.key, w.generation)
            ORDER BY w.kind, w.key) AS w
        CROSS JOIN LATERAL (
            SELECT l AS subject FROM tenure.subject_lock l
            WHERE l.kind = w.kind AND l.key = w.key FOR NO KEY UPDATE SKIP LOCKED) AS l);
    -- Under their locks, in a statement of its own.
    quiet := array(
        SELECT q FROM unnest(quiet) AS q WHERE EXISTS (
            SELECT FROM tenure.key_wait w
            WHERE w.kind = q.kind AND w.key = q.key AND w.is_open
              AND tenure.is_decidable(w.kind, w.key, w.generation) OFFSET 0));
    IF quiet = '{}' THEN
        RETURN 0;
    END IF;
    PERFORM tenure.decide_keys(
        array(SELECT q.kind FROM unnest(quiet) AS q), array(SELECT q.key FROM unnest(quiet) AS q));
    RETURN cardinality(quiet);
EXCEPTION WHEN serialization_failure THEN
    RETURN 0;  -- somebody is just forgetting what would be copied
END $$;

-- Whether a wait for a generation of a key is over, as it looks.
CREATE OR REPLACE FUNCTION tenure.is_decidable(of_kind text, of_key text, wanted bigint)
RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce((SELECT s.committed >= wanted
                     FROM tenure.subject_of(of_kind, of_key) AS s), true)
        OR coalesce(tenure.newest_alive(of_kind, of_key), 0) < wanted;
END $$;
