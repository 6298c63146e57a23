-- Puts the keys of ended jobs into their index, a filter for each 32 pages of history, so that no
-- job's end has to; returns how many filters are new. The last pages of a day that goes on have
-- none: each end would write it anew. Each call looks at all, the oldest first, so that one that
-- breaks off leaves no gap for long.
CREATE OR REPLACE FUNCTION tenure.index_keys() RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '200ms' AS $$
DECLARE
    wide  CONSTANT bigint := 32;  -- pages_per_range of job_history_key
    today CONSTANT text := to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMMDD');
    part  record;
    pages bigint;
    made  integer := 0;
BEGIN
    FOR part IN
        SELECT t.relid AS index, i.indrelid AS history,
               coalesce(substring(c.relname FROM '_([0-9]{8})$') < today, false) AS is_over
        FROM pg_partition_tree('tenure.job_history_key') t
        JOIN pg_index i ON i.indexrelid = t.relid
        JOIN pg_class c ON c.oid = i.indrelid
        WHERE t.isleaf
    LOOP
        BEGIN
            IF part.is_over THEN
                made := made + brin_summarize_new_values(part.index);
            ELSE
                pages := pg_relation_size(part.history) / current_setting('block_size')::bigint;
                FOR page IN 0 .. pages / wide - 3 LOOP
                    made := made + brin_summarize_range(part.index, page * wide);
                END LOOP;
            END IF;
        EXCEPTION WHEN lock_not_available OR undefined_table THEN
            NULL;  -- a vacuum, which does the same; or a day that has just been dropped
        END;
    END LOOP;
    RETURN made;
END $$;
