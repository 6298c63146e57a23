-- Forgets subjects that nobody has touched for a while, that no unfinished job has, for which no
-- finished one stands, and for which nobody waits. They are looked at again
-- under their locks, in a statement of its own.
CREATE OR REPLACE FUNCTION tenure.drop_idle_subjects(idle interval, at_most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    quiet   tenure.subject_lock[];
    dropped integer;
BEGIN
    quiet := array(
        SELECT l.subject FROM (
            SELECT s.kind, s.key FROM tenure.subject s
            WHERE s.touched_at < clock_timestamp() - idle
              AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.kind = s.kind AND j.key = s.key)
              AND NOT EXISTS (SELECT FROM tenure.key_wait w
                              WHERE w.kind = s.kind AND w.key = s.key AND w.is_open)
              AND NOT EXISTS (SELECT FROM tenure.kept_key k WHERE k.kind = s.kind AND k.key = s.key)
            ORDER BY s.kind, s.key OFFSET 0) AS s
        CROSS JOIN LATERAL (
            SELECT l AS subject FROM tenure.subject_lock l
            WHERE l.kind = s.kind AND l.key = s.key FOR UPDATE SKIP LOCKED) AS l
        LIMIT at_most);
    WITH idlers AS (
        DELETE FROM tenure.subject s USING unnest(quiet) AS q
        WHERE s.kind = q.kind AND s.key = q.key AND s.touched_at < clock_timestamp() - idle
          AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.kind = s.kind AND j.key = s.key)
          AND NOT EXISTS (SELECT FROM tenure.key_wait w
                          WHERE w.kind = s.kind AND w.key = s.key AND w.is_open)
          AND NOT EXISTS (SELECT FROM tenure.kept_key k WHERE k.kind = s.kind AND k.key = s.key)
        RETURNING s.kind, s.key
    )
    DELETE FROM tenure.subject_lock l USING idlers i WHERE l.kind = i.kind AND l.key = i.key;
    GET DIAGNOSTICS dropped = ROW_COUNT;
    RETURN dropped;
END $$;
