-- Forgets versions of items that another took the place of so long ago, or that so many newer ones
-- have followed. The newest of an item stays, however old it is; so does one whose time as the
-- newest ended a moment ago. Items are gone through by id, those after `after` up to `until`:
-- `last` is how far that was, and null at the end.
-- Locks: the rows of the items, by id, skipping those that are locked.
CREATE OR REPLACE FUNCTION content.forget_versions(
    kept interval, versions integer, after uuid, until uuid, most integer,
    OUT gone bigint, OUT last uuid)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    since timestamptz := content.now() - kept;
    found uuid[];
    old   uuid[];
BEGIN
    PERFORM content.check_age(kept);
    IF (versions >= 1) IS NOT TRUE THEN
        RAISE EXCEPTION '% versions of an item leave none', versions
            USING ERRCODE = 'TN003', HINT = 'give 1 at least';
    END IF;
    found := array(
        SELECT i.id FROM content.item i
        WHERE i.id > after AND i.id <= until AND i.version > 1 ORDER BY i.id LIMIT most);
    last := found[cardinality(found)];
    -- The oldest tells: of all it was replaced first. No version comes while its item is locked.
    old := array(
        SELECT i.id
        FROM content.item i
        CROSS JOIN LATERAL (
            SELECT v.number FROM content.version v
            WHERE v.item = i.id ORDER BY v.number LIMIT 1) AS v
        CROSS JOIN LATERAL (
            SELECT n.made_at FROM content.version n
            WHERE n.item = i.id AND n.number > v.number ORDER BY n.number LIMIT 1) AS n
        WHERE i.id = ANY (found) AND (n.made_at < since OR v.number <= i.version - versions)
        ORDER BY i.id LIMIT 100 FOR NO KEY UPDATE OF i SKIP LOCKED);
    DELETE FROM content.version d
    WHERE d.ctid = ANY (array(
        SELECT v.ctid
        FROM content.item i
        JOIN content.version v ON v.item = i.id
        CROSS JOIN LATERAL (
            SELECT n.made_at FROM content.version n
            WHERE n.item = v.item AND n.number > v.number AND n.number <= i.version
            ORDER BY n.number LIMIT 1) AS n
        WHERE i.id = ANY (old) AND (n.made_at < since OR v.number <= i.version - versions)
        LIMIT most));
    GET DIAGNOSTICS gone = ROW_COUNT;
    -- More may be left of these.
    IF gone > 0 THEN last := after; END IF;
END $$;
