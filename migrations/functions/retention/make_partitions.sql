-- Makes the partitions of one table for today and `days` ahead; returns how many were new.
-- A new partition is attached, which lets readers and writers of the others go on. Rows that went
-- to the default partition move: else it could never be made, nor any after it.
-- This and drop_partitions give up (55P03) instead of queueing: whoever waits for the parent's
-- lock stops every finish that comes after. The caller tries again with the next round.
-- Others than the owner call them by `prepare_history` and `forget_history`, which have bounds.
CREATE OR REPLACE FUNCTION tenure.make_partitions(parent text, days integer) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '200ms' AS $$
DECLARE
    first  timestamptz;
    part   text;
    made   integer := 0;
    clock  text;
BEGIN
    PERFORM tenure.check_partitioned(parent);
    clock := substring(pg_get_partkeydef(format('tenure.%I', parent)::regclass) FROM '\((.*)\)');
    PERFORM FROM tenure.turn t WHERE t.name = parent FOR UPDATE;
    FOR offset_days IN 0 .. days LOOP
        first := date_trunc('day', clock_timestamp(), 'UTC') + make_interval(days => offset_days);
        part := parent || '_' || to_char(first AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('tenure.%I', part)) IS NOT NULL;
        EXECUTE format('CREATE TABLE tenure.%I (LIKE tenure.%I INCLUDING DEFAULTS)', part, parent);
        -- A row for the default partition that waited for it would find itself shut out (23514):
        -- where rows may be coming for this very day, writers wait at the parent instead.
        IF offset_days <= 1 THEN
            EXECUTE format('LOCK TABLE ONLY tenure.%I IN SHARE ROW EXCLUSIVE MODE', parent);
        END IF;
        EXECUTE format('LOCK TABLE tenure.%I IN ACCESS EXCLUSIVE MODE', parent || '_default');
        EXECUTE format('WITH moved AS (
                            DELETE FROM tenure.%I WHERE %s >= %L AND %s < %L RETURNING *)
                        INSERT INTO tenure.%I SELECT * FROM moved',
                       parent || '_default', clock, first, clock, first + interval '1 day', part);
        EXECUTE format('ALTER TABLE tenure.%I ATTACH PARTITION tenure.%I
                        FOR VALUES FROM (%L) TO (%L)',
                       parent, part, first, first + interval '1 day');
        made := made + 1;
    END LOOP;
    RETURN made;
END $$;

-- Some functions take the name of a table: one of these.
CREATE OR REPLACE FUNCTION tenure.check_partitioned(parent text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF parent IS NULL OR parent NOT IN (
        'job_history_ended', 'job_history_discarded', 'attempt_error') THEN
        RAISE EXCEPTION 'table "%" has no partitions by day', parent USING ERRCODE = 'TN003',
            HINT = 'use job_history_ended, job_history_discarded or attempt_error';
    END IF;
END $$;

-- Makes history's partitions, as `make_partitions`, for a month ahead at most.
CREATE OR REPLACE FUNCTION tenure.prepare_history(parent text, days integer) RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
    IF (days BETWEEN 0 AND 31) IS NOT TRUE THEN
        RAISE EXCEPTION 'partitions for % days ahead are not made', days
            USING ERRCODE = 'TN003', HINT = 'give 0 to 31 days';
    END IF;
    RETURN tenure.make_partitions(parent, days);
END $$;

-- A database whose functions are new has no partitions yet, but the default ones.
SELECT tenure.make_partitions(w.parent, 7)
FROM unnest(ARRAY['job_history_ended', 'job_history_discarded', 'attempt_error']) AS w (parent)
WHERE NOT EXISTS (
    SELECT FROM pg_inherits i
    WHERE i.inhparent = to_regclass('tenure.' || w.parent)
      AND i.inhrelid <> to_regclass('tenure.' || w.parent || '_default'));
