-- The one way to read a subject. Whoever decides by it holds its lock, and reads it in a statement
-- that began after the lock was had.
CREATE OR REPLACE FUNCTION tenure.subject_of(wanted_kind text, wanted_key text)
RETURNS SETOF tenure.subject
LANGUAGE sql STABLE AS $$
    SELECT * FROM tenure.subject s WHERE s.kind = wanted_kind AND s.key = wanted_key
    ORDER BY s.issued DESC LIMIT 1
$$;
