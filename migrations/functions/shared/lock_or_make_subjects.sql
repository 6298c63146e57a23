-- Locks subjects in one order, and makes those that are missing in the same pass: made first and
-- locked later would be two orders. `WHERE false` is a lock and nothing else: no version is made.
-- Returns how many it made.
CREATE OR REPLACE FUNCTION tenure.lock_or_make_subjects(kinds text[], keys text[]) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    made integer;
BEGIN
    IF cardinality(keys) > 16 THEN
        made := tenure.make_subjects(kinds, keys);
    END IF;
    IF made IS NULL THEN
        INSERT INTO tenure.subject_lock AS l (kind, key)
        SELECT DISTINCT w.kind COLLATE "C", w.key COLLATE "C"
        FROM unnest(kinds, keys) AS w (kind, key)
        ORDER BY 1, 2
        ON CONFLICT (kind, key) DO UPDATE SET made_at = l.made_at WHERE false;
        GET DIAGNOSTICS made = ROW_COUNT;
    END IF;
    PERFORM tenure.require_current_view(kinds, keys);
    RETURN made;
END $$;

-- The same where all of them seem to be missing, by a look at a few: an INSERT that expects no
-- conflict costs a third. Null where one is there, or comes meanwhile: nothing is made or locked.
CREATE OR REPLACE FUNCTION tenure.make_subjects(kinds text[], keys text[]) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    made integer;
BEGIN
    IF EXISTS (SELECT FROM unnest(kinds[:16], keys[:16]) AS w (kind, key) CROSS JOIN LATERAL (
                   SELECT FROM tenure.subject_lock l
                   WHERE l.kind = w.kind AND l.key = w.key OFFSET 0) AS l) THEN
        RETURN NULL;
    END IF;
    INSERT INTO tenure.subject_lock (kind, key)
    SELECT DISTINCT w.kind COLLATE "C", w.key COLLATE "C" FROM unnest(kinds, keys) AS w (kind, key)
    ORDER BY 1, 2;
    GET DIAGNOSTICS made = ROW_COUNT;
    RETURN made;
EXCEPTION WHEN unique_violation THEN
    -- What was made here is undone, and whoever waited for it goes on: the order is begun anew.
    RETURN NULL;
END $$;
