-- What a job's runs keep for those that come after, and what a job waits for.
--
-- Why: a handler that has something to wait for ends its run, so that no slot, connection or lock
-- is held meanwhile, and goes on in a later run behind what it has done already. Jobs that do
-- neither have no row in these tables, and no statement looks there on their account.
-- Locks: none that matter, the tables are new.

-- What became of a part of a handler: done, a signal that was received, a time that came, or a
-- wait for a signal whose time was over first.
CREATE TYPE tenure.step_way AS ENUM ('done', 'signal', 'time', 'timeout');

-- What is behind a job: written behind the fence of the run that did it, and never changed. A later
-- run of the job gets the result instead of doing it again. It outlives the job as long as history
-- may show that.
CREATE TABLE tenure.job_step (
    job_id  uuid,
    name    text COLLATE "C",
    fence   bigint NOT NULL,
    how     tenure.step_way NOT NULL,
    type    text,                          -- the result's, as the program calls it
    result  jsonb,
    took    interval,
    done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (job_id, name)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- What a job waits for: a signal, a time, or whichever comes first. Written when the run ends,
-- under the job's lock; while the job waits nobody looks at it. Of a job that runs, or is over, a
-- row means nothing but how long it has waited.
CREATE TABLE tenure.job_wait (
    job_id  uuid,
    name    text COLLATE "C",              -- of the step that it becomes
    signal  text COLLATE "C",              -- null: its time alone
    until   timestamptz,                   -- null: for ever
    made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (job_id, name)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- Signals, kept until they are waited for. One that was received stays as long as its job, so that
-- sending it again under its id is no second one.
CREATE TABLE tenure.job_signal (
    job_id   uuid,
    id       uuid,                         -- the sender's
    name     text NOT NULL COLLATE "C",
    payload  jsonb,
    sent_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    sent_by  text,
    taken_as text COLLATE "C",             -- the step that received it
    PRIMARY KEY (job_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- The oldest of a name that nobody has received.
CREATE INDEX job_signal_untaken ON tenure.job_signal (job_id, name, sent_at, id)
    WHERE taken_as IS NULL;
