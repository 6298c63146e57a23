-- Where jobs go when they end.
--
-- Why: partitioned by how long an outcome is kept, then by day, so that retention drops whole
-- tables and never deletes a row. Partitions are made days ahead by any process; the default
-- ones are a safety net: a job can always end.
-- Locks: none that matter, the tables are new.

CREATE TABLE tenure.job_history (
    id              uuid NOT NULL,
    batch_id          uuid,
    parent_id       uuid,
    retry_of        uuid,
    superseded_by   uuid,
    retried_as      uuid,                  -- an operator ran it again, as this job
    generation      bigint,
    fence           bigint,                -- of its last run
    session_id      bigint,
    run_at          timestamptz NOT NULL,
    created_at      timestamptz NOT NULL,
    claimed_at      timestamptz,
    finished_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome         tenure.job_outcome NOT NULL,
    attempt         integer NOT NULL,
    max_attempts    integer NOT NULL,
    runs            integer NOT NULL,
    payload_version smallint NOT NULL,
    priority        smallint NOT NULL,
    kind            text NOT NULL COLLATE "C",
    queue           text NOT NULL COLLATE "C",
    key             text COLLATE "C",
    lane            text COLLATE "C",
    payload         jsonb NOT NULL,
    result          jsonb,
    reason          text,                  -- why discarded, who cancelled, what superseded
    trace           text
) PARTITION BY LIST (outcome);

CREATE TABLE tenure.job_history_ended PARTITION OF tenure.job_history
    FOR VALUES IN ('completed', 'cancelled', 'superseded') PARTITION BY RANGE (finished_at);
CREATE TABLE tenure.job_history_discarded PARTITION OF tenure.job_history
    FOR VALUES IN ('discarded') PARTITION BY RANGE (finished_at);
CREATE TABLE tenure.job_history_ended_default PARTITION OF tenure.job_history_ended DEFAULT;
CREATE TABLE tenure.job_history_discarded_default PARTITION OF tenure.job_history_discarded DEFAULT;
CREATE INDEX job_history_id ON tenure.job_history (id);

-- One row for each attempt that failed, in the order of its fences.
CREATE TABLE tenure.attempt_error (
    job_id     uuid NOT NULL,
    fence      bigint NOT NULL,
    attempt    integer NOT NULL,
    failed_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    session_id bigint,
    code       text NOT NULL,
    message    text NOT NULL
) PARTITION BY RANGE (failed_at);

CREATE TABLE tenure.attempt_error_default PARTITION OF tenure.attempt_error DEFAULT;
CREATE INDEX attempt_error_job ON tenure.attempt_error (job_id);

-- What only one caller at a time does, a row each. Whoever does it has the row locked: an advisory
-- lock could be taken by any login, and these rows are nobody's but the functions'.
CREATE TABLE tenure.turn (
    name text COLLATE "C" PRIMARY KEY
);

INSERT INTO tenure.turn (name) VALUES
    ('attempt_error'), ('job_history_discarded'), ('job_history_ended'),  -- their partitions
    ('queue_capacity'), ('sweep_batches'), ('trip_breakers');

-- Whether the caller has the turn, until its transaction ends. Nobody is waited for.
CREATE FUNCTION tenure.try_turn(wanted text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tenure.turn t WHERE t.name = wanted FOR UPDATE SKIP LOCKED;
    RETURN FOUND;
END $$;

-- The two functions below take the name of a table.
CREATE FUNCTION tenure.check_partitioned(parent text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF parent IS NULL OR parent NOT IN (
        'job_history_ended', 'job_history_discarded', 'attempt_error') THEN
        RAISE EXCEPTION 'table "%" has no partitions by day', parent USING ERRCODE = 'TN003',
            HINT = 'use job_history_ended, job_history_discarded or attempt_error';
    END IF;
END $$;

-- Makes the partitions of one table for today and `days` ahead; returns how many were new.
-- A new partition is attached, which lets readers and writers of the others go on. Rows that went
-- to the default partition move: else it could never be made, nor any after it.
-- This and drop_partitions give up (55P03) instead of queueing: whoever waits for the parent's
-- lock stops every finish that comes after. The caller tries again with the next round.
-- Others than the owner call them by `prepare_history` and `forget_history`, which have bounds.
CREATE FUNCTION tenure.make_partitions(parent text, days integer) RETURNS integer
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

-- Drops the partitions of one table whose last row is older than `kept`; returns how many.
CREATE FUNCTION tenure.drop_partitions(parent text, kept interval) RETURNS integer
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

SELECT tenure.make_partitions('job_history_ended', 7),
       tenure.make_partitions('job_history_discarded', 7),
       tenure.make_partitions('attempt_error', 7);
