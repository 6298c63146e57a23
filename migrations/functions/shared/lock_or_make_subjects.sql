-- Locks subjects in one order, and makes those that are missing in the same pass: made first and
-- locked later would be two orders. `WHERE false` is a lock and nothing else: no version is made.
-- Returns how many it made.
CREATE OR REPLACE FUNCTION tenure.lock_or_make_subjects(kinds text[], keys text[]) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    made integer;
BEGIN
    INSERT INTO tenure.subject_lock AS l (kind, key)
    SELECT DISTINCT w.kind COLLATE "C", w.key COLLATE "C" FROM unnest(kinds, keys) AS w (kind, key)
    ORDER BY 1, 2
    ON CONFLICT (kind, key) DO UPDATE SET made_at = l.made_at WHERE false;
    GET DIAGNOSTICS made = ROW_COUNT;
    PERFORM tenure.require_current_view(kinds, keys);
    RETURN made;
END $$;
