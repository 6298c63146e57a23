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
                SELECT w AS it, w.kind, w.key FROM tenure.key_wait w
                WHERE w.id = a.needs OFFSET 0) AS w
            WHERE tenure.is_left(w.it)
            ORDER BY w.kind, w.key) AS w
        CROSS JOIN LATERAL (
            SELECT l AS subject FROM tenure.subject_lock l
            WHERE l.kind = w.kind AND l.key = w.key FOR NO KEY UPDATE SKIP LOCKED) AS l);
    -- Under their locks, in a statement of its own.
    quiet := array(
        SELECT q FROM unnest(quiet) AS q WHERE EXISTS (
            SELECT FROM tenure.key_wait w
            WHERE w.kind = q.kind AND w.key = q.key AND tenure.is_left(w) OFFSET 0));
    IF quiet = '{}' THEN
        RETURN 0;
    END IF;
    -- One whose end is gone is decided anew.
    UPDATE tenure.key_wait w SET is_open = true FROM unnest(quiet) AS q
    WHERE w.kind = q.kind AND w.key = q.key AND NOT w.is_open AND tenure.is_left(w);
    PERFORM tenure.decide_keys(
        array(SELECT q.kind FROM unnest(quiet) AS q), array(SELECT q.key FROM unnest(quiet) AS q));
    RETURN cardinality(quiet);
EXCEPTION WHEN serialization_failure THEN
    RETURN 0;  -- somebody is just forgetting what would be copied
END $$;

-- Whether a wait for a key is left behind, as it looks: it is open, and could be decided, or it is
-- over, and nothing says how.
CREATE OR REPLACE FUNCTION tenure.is_left(awaited tenure.key_wait) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT awaited.is_open THEN
        RETURN NOT EXISTS (SELECT FROM tenure.job_end e
                           WHERE e.id = awaited.id AND e.made = awaited.made_at);
    END IF;
    RETURN coalesce((SELECT s.committed >= awaited.generation
                     FROM tenure.subject_of(awaited.kind, awaited.key) AS s), true)
        OR coalesce(tenure.newest_alive(awaited.kind, awaited.key), 0) < awaited.generation;
END $$;
