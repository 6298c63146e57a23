-- What sessions say beside their beat: which runs have begun, how far they are, which fields of
-- payloads are secret, and whether the database's clock was set back.
--
-- Why: a beat writes one row and waits for nobody, so what a process has to tell has rows of its
-- own.
-- Locks: none that matter, the tables are new.

-- Fields of payloads that are not to be shown, as workers that know the kinds have said: whoever
-- shows a job may not know its type. Never forgotten, so that history shows no more than before.
CREATE TABLE tenure.secret_field (
    kind  text COLLATE "C",
    field text COLLATE "C",
    PRIMARY KEY (kind, field)
);

-- Which of a session's unfinished runs have begun, or are about to: the newest note of each queue.
-- Fences of runs that are over may still be in it. As with `queue_holders`, the newer row is
-- inserted and the older deleted, so that an open snapshot's old versions are not walked over.
CREATE TABLE tenure.session_begun (
    session_id bigint,
    queue      text COLLATE "C",
    n          bigint,
    fences     int8multirange NOT NULL,
    PRIMARY KEY (session_id, queue, n)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- How often the database's clock was found to have been set back, and followed. One row.
CREATE TABLE tenure.clock (
    one       boolean PRIMARY KEY DEFAULT true CHECK (one),
    steps     bigint NOT NULL DEFAULT 0,
    back      interval,
    found_at  timestamptz,
    found_by  bigint
);
INSERT INTO tenure.clock DEFAULT VALUES;

-- How far each run has come, as its handler said last: for people, never for a rule. A row belongs
-- to one run and so to one session, whose beats come one after the other; it outlives the run.
CREATE TABLE tenure.job_progress (
    job_id      uuid,
    fence       bigint,
    done        bigint NOT NULL,
    total       bigint,
    reported_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    rate        double precision,            -- a second
    note        text,
    PRIMARY KEY (job_id, fence)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
