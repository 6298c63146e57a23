-- Forgets bodies that nothing refers to: no version, no doubted document, no file. They are gone
-- through by hash, those after `after` up to `until`: `last` is how far that was, and null at the
-- end.
--
-- Who is about to refer to a body has it locked FOR KEY SHARE, or has just written it. So one is
-- locked here first, and what refers to it is looked for anew then: a look that is as old as the
-- wait for a lock doesn't see what was committed meanwhile.
-- Locks: the rows of the bodies, by hash, skipping those that are locked.
CREATE OR REPLACE FUNCTION content.forget_bodies(
    after bytea, until bytea, most integer, OUT gone bigint, OUT last bytea)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    found bytea[];
    loose bytea[];
BEGIN
    IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
        RAISE EXCEPTION 'forget_bodies runs at READ COMMITTED, the transaction at %',
            upper(current_setting('transaction_isolation')) USING ERRCODE = '25000';
    END IF;
    found := array(
        SELECT b.hash FROM content.body b
        WHERE b.hash > after AND b.hash <= until ORDER BY b.hash LIMIT most);
    last := found[cardinality(found)];
    loose := array(
        SELECT b.hash FROM content.body b
        WHERE b.hash = ANY (found) AND b.stored_at < content.now() - interval '1 hour'
          AND NOT EXISTS (SELECT FROM content.version v WHERE v.body = b.hash)
          AND NOT EXISTS (SELECT FROM content.candidate c WHERE c.hash = b.hash)
          AND NOT EXISTS (SELECT FROM content.file f WHERE f.hash = b.hash)
        ORDER BY b.hash FOR UPDATE SKIP LOCKED);
    DELETE FROM content.body b
    WHERE b.hash = ANY (loose)
      AND NOT EXISTS (SELECT FROM content.version v WHERE v.body = b.hash)
      AND NOT EXISTS (SELECT FROM content.candidate c WHERE c.hash = b.hash)
      AND NOT EXISTS (SELECT FROM content.file f WHERE f.hash = b.hash);
    GET DIAGNOSTICS gone = ROW_COUNT;
END $$;
