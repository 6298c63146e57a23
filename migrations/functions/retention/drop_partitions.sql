-- Drops the partitions of one table whose last row is older than `kept`; returns how many.
CREATE OR REPLACE FUNCTION tenure.drop_partitions(parent text, kept interval) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '200ms' AS $$
DECLARE
    part    text;
    dropped integer := 0;
BEGIN
    PERFORM tenure.check_partitioned(parent);
    PERFORM FROM tenure.turn t WHERE t.name = parent FOR UPDATE;
    FOR part IN
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = to_regclass(format('tenure.%I', parent)) AND c.relname ~ '_[0-9]{8}$'
          AND to_timestamp(right(c.relname, 8) || ' 00:00:00+00', 'YYYYMMDD HH24:MI:SSTZH')
              + interval '1 day' < clock_timestamp() - kept
        ORDER BY c.relname
    LOOP
        EXECUTE format('DROP TABLE tenure.%I', part);
        dropped := dropped + 1;
    END LOOP;
    -- The safety net is no table to drop: what is too old in it goes row by row.
    EXECUTE format('DELETE FROM tenure.%I WHERE %s < clock_timestamp() - %L::interval',
                   parent || '_default',
                   substring(pg_get_partkeydef(format('tenure.%I', parent)::regclass)
                             FROM '\((.*)\)'), kept);
    RETURN dropped;
END $$;

-- Drops history's partitions, as `drop_partitions`: nothing that ended within the hour.
CREATE OR REPLACE FUNCTION tenure.forget_history(parent text, kept interval) RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
    IF (kept >= interval '1 hour') IS NOT TRUE THEN
        RAISE EXCEPTION 'history is kept for an hour at least, and not for %', kept
            USING ERRCODE = 'TN003', HINT = 'give 1 hour or more';
    END IF;
    RETURN tenure.drop_partitions(parent, kept);
END $$;
