-- What a job's runs keep for those that come after, and what a job waits for: signals, times, other
-- jobs.
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

-- The last lines that a run has logged, of jobs whose kind asks for that: written with the run's
-- end and with its checkpoints, behind its fence.
CREATE TABLE tenure.job_log (
    job_id     uuid,
    fence      bigint,
    lines      jsonb NOT NULL,             -- [{"at", "level", "message"}, …], the oldest first
    written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (job_id, fence)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
-- Of ids that say no time.
CREATE INDEX job_log_odd ON tenure.job_log (job_id) WHERE substr(job_id::text, 15, 1) <> '7';

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

-- Which jobs have to end before a job may start. Written with the job and never changed: an edge is
-- open as long as there is no end (`job_end`) of whom it needs. A job that waits has the state
-- `waiting` and `waits_for_jobs`; whom it waits for has `has_waiters`, so that whoever ends that
-- one knows, from the row that he takes away, that its end is to be written down here
-- (docs/decisions/after.md).
CREATE TABLE tenure.job_after (
    job_id   uuid,                         -- who waits
    needs    uuid,                         -- for whom
    made     timestamptz NOT NULL,         -- whose created_at: an id may come back
    goes_on  boolean NOT NULL,             -- however that one ends; else it has to be completed
    asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (job_id, needs)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX job_after_needs ON tenure.job_after (needs, job_id);

-- What is waited for where that is a key: a commit of this generation, or of a newer one. Edges
-- need it by its id, like a job. It is open until the key's own state decides it, under the key's
-- lock: no job, and no supersede, has to know who waits. The subject says that there is an open one
-- (`is_awaited`), so that whoever ends a job of the key, and reads the subject anyway, decides it;
-- and whoever adds or decides one changes the subject, so that nobody does so by an old snapshot.
CREATE TABLE tenure.key_wait (
    id         uuid PRIMARY KEY,
    generation bigint NOT NULL,
    made_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    decided_by uuid,                       -- the job whose run's end did; null: anything else
    is_open    boolean NOT NULL DEFAULT true,
    kind       text NOT NULL COLLATE "C",
    key        text NOT NULL COLLATE "C",
    UNIQUE (kind, key, generation)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX key_wait_open ON tenure.key_wait (kind, key, generation) WHERE is_open;
CREATE INDEX key_wait_decided ON tenure.key_wait (decided_by) WHERE decided_by IS NOT NULL;

-- How jobs ended that others wait for: written by the transaction that ends them, one row however
-- many wait, and kept as long as one of those does, whatever becomes of history. Until it is
-- settled there may be somebody to let go, or to cancel.
CREATE TABLE tenure.job_end (
    id         uuid,
    made       timestamptz,
    outcome    tenure.job_outcome NOT NULL,
    ended_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    again_at   timestamptz NOT NULL DEFAULT clock_timestamp(),  -- it is to be settled from then on
    is_settled boolean NOT NULL DEFAULT false,
    was_busy   boolean NOT NULL DEFAULT false,  -- somebody had a waiter locked: all once more
    is_key     boolean NOT NULL DEFAULT false,  -- not of a job: what became of a `key_wait`
    settled_to uuid,                       -- the waiters up to this one were looked at
    -- Where it was cancelled because of another's end: whose it was in the first place, and who
    -- waited in turn between that one and this, the first of them first. Of a long path the middle
    -- is left out: so many.
    root_id     uuid,
    root        tenure.job_outcome,
    root_reason text,
    path        uuid[] NOT NULL DEFAULT '{}',
    left_out    integer NOT NULL DEFAULT 0,
    result     jsonb,
    reason     text,
    PRIMARY KEY (id, made)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX job_end_open ON tenure.job_end (again_at, id) WHERE NOT is_settled;
-- Whose end another's was because of, for whoever forgets that one: as it was settled, or as
-- history had it (`after_reason`).
CREATE INDEX job_end_root ON tenure.job_end (root_id) WHERE root_id IS NOT NULL;
CREATE INDEX job_end_cause ON tenure.job_end (substr(reason, 12, 36))
    WHERE starts_with(reason, 'after: job ');
