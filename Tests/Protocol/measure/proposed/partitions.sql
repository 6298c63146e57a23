-- Rows that went to the default partition move to the new one: else it can never be made, nor any
-- after it. And both give up instead of queueing: whoever waits for the parent's or the default's
-- lock stops every finish that comes after. The caller tries again with the next round.
CREATE OR REPLACE FUNCTION tenure.make_partitions(parent text, days integer) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '200ms' AS $$
DECLARE
    first  timestamptz;
    part   text;
    made   integer := 0;
    clock  text := substring(pg_get_partkeydef(format('tenure.%I', parent)::regclass) FROM '\((.*)\)');
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('tenure.make_partitions'), hashtext(parent));
    FOR offset_days IN 0 .. days LOOP
        first := date_trunc('day', clock_timestamp(), 'UTC') + make_interval(days => offset_days);
        part := parent || '_' || to_char(first AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('tenure.%I', part)) IS NOT NULL;
        EXECUTE format('CREATE TABLE tenure.%I (LIKE tenure.%I INCLUDING DEFAULTS)', part, parent);
        EXECUTE format('LOCK TABLE tenure.%I IN ACCESS EXCLUSIVE MODE', parent || '_default');
        EXECUTE format('WITH moved AS (DELETE FROM tenure.%I WHERE %s >= %L AND %s < %L RETURNING *)
                        INSERT INTO tenure.%I SELECT * FROM moved',
                       parent || '_default', clock, first, clock, first + interval '1 day', part);
        EXECUTE format('ALTER TABLE tenure.%I ATTACH PARTITION tenure.%I FOR VALUES FROM (%L) TO (%L)',
                       parent, part, first, first + interval '1 day');
        made := made + 1;
    END LOOP;
    RETURN made;
END $$;

ALTER FUNCTION tenure.drop_partitions(text, interval) SET lock_timeout = '200ms';
