-- Notes how large each table is today, with its indexes and what lies beside its rows: what grows,
-- and how fast, is told by that. A month of it is kept.
-- Locks: none but those of its own rows.
CREATE OR REPLACE FUNCTION content.note_sizes() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    today date := (content.now() AT TIME ZONE 'UTC')::date;
BEGIN
    -- A table that is dropped meanwhile has no size.
    INSERT INTO content.table_size AS s (noted_on, name, bytes)
    SELECT today, c.relname, pg_total_relation_size(c.oid)
    FROM pg_class c
    WHERE c.relnamespace = (SELECT t.relnamespace FROM pg_class t
                            WHERE t.oid = 'content.table_size'::regclass)
      AND c.relkind = 'r' AND pg_total_relation_size(c.oid) IS NOT NULL
    ORDER BY c.relname
    ON CONFLICT (name, noted_on) DO UPDATE SET bytes = EXCLUDED.bytes;
    DELETE FROM content.table_size s WHERE s.noted_on < today - 31;
END $$;
