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
    letter_id       uuid,                  -- the job that tells of its end (`dead_letter`)
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
-- For lists: among many that were completed. The discarded have partitions of their own.
CREATE INDEX job_history_unwanted ON tenure.job_history (id)
    WHERE outcome IN ('cancelled', 'superseded');
-- For the past of a key: a filter for each 32 pages, of the keys that are there. A keyed job's end
-- doesn't write it; functions/retention/index_keys.sql does, afterwards.
CREATE INDEX job_history_key ON tenure.job_history
    USING brin (key text_bloom_ops (n_distinct_per_range = 1500)) WITH (pages_per_range = 32)
    WHERE key IS NOT NULL;

-- Whom to tell of discarded jobs: those of a kind, or of a queue, are written to jobs of another
-- kind, their letters. A kind's own address goes before its queue's.
CREATE TABLE tenure.dead_letter (
    thing           text COLLATE "C" CHECK (thing IN ('kind', 'queue')),
    name            text COLLATE "C",
    set_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    max_attempts    integer NOT NULL DEFAULT 25 CHECK (max_attempts BETWEEN 1 AND 10000),
    payload_version smallint NOT NULL DEFAULT 1 CHECK (payload_version > 0),
    priority        smallint NOT NULL DEFAULT 5 CHECK (priority BETWEEN 0 AND 9),
    letter_kind     text NOT NULL COLLATE "C",
    letter_queue    text COLLATE "C",      -- null: the discarded job's own
    set_by          text,                  -- an operator; null: the code of the kind's workers
    PRIMARY KEY (thing, name)
);

-- Whose letters there are, those that were run again in a letter's stead among them: for whoever
-- forgets a job, whatever history has dropped of it and of them.
CREATE TABLE tenure.job_letter (
    job_id    uuid,                        -- that was discarded
    letter_id uuid,
    made_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (job_id, letter_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX job_letter_id ON tenure.job_letter (letter_id);

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
    ('key_circles'), ('queue_capacity'), ('sweep_batches'), ('trip_breakers');
