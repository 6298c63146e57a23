-- Forgets, so many at a time, which finished jobs stand for their keys, when that is over. One that
-- a key gets anew just then is passed over.
CREATE OR REPLACE FUNCTION tenure.drop_kept_keys(at_most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    dropped integer;
BEGIN
    DELETE FROM tenure.kept_key k USING (
        SELECT o.kind, o.key, o.generation FROM tenure.kept_key o
        WHERE o.kept_until < clock_timestamp() ORDER BY o.kept_until LIMIT at_most
        FOR UPDATE SKIP LOCKED) AS o
    WHERE k.kind = o.kind AND k.key = o.key AND k.generation = o.generation;
    GET DIAGNOSTICS dropped = ROW_COUNT;
    RETURN dropped;
END $$;
