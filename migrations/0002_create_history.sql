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
