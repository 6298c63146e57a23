-- Puts the keys of ended jobs into their index, a filter for each 32 pages of history, so that no
-- job's end has to; returns how many filters are new. The last pages of a day that goes on have
-- none: each end would write it anew. It goes from the newest back to one that is there; what a
-- call that breaks off leaves out is there after the next vacuum, and is read without a filter
-- until then.
CREATE OR REPLACE FUNCTION tenure.index_keys() RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '200ms' AS $$
DECLARE
    wide  CONSTANT bigint := 32;  -- pages_per_range of job_history_key
    today CONSTANT text := to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMMDD');
    part  record;
    page  bigint;
    made  integer := 0;
BEGIN
    FOR part IN
        SELECT t.relid AS index,
               pg_relation_size(i.indrelid) / current_setting('block_size')::bigint AS pages,
               coalesce(substring(c.relname FROM '_([0-9]{8})$') < today, false) AS is_over
        FROM pg_partition_tree('tenure.job_history_key') t
        JOIN pg_index i ON i.indexrelid = t.relid
        JOIN pg_class c ON c.oid = i.indrelid
        WHERE t.isleaf
    LOOP
        page := (part.pages - CASE WHEN part.is_over THEN 1 ELSE 3 * wide END) / wide * wide;
        BEGIN
            WHILE page >= 0 AND part.pages > 0 LOOP
                EXIT WHEN brin_summarize_range(part.index, page) = 0;
                made := made + 1;
                page := page - wide;
            END LOOP;
        EXCEPTION WHEN lock_not_available THEN
            NULL;  -- a vacuum, which does the same
        END;
    END LOOP;
    RETURN made;
END $$;
