-- Who did what: the audit log of operators' verbs.
--
-- Why: a job that was cancelled says by whom; a queue that was resumed, a limit that was lifted and
-- a job that was deleted say nothing. A row is written in the transaction of the act itself: there
-- is no act without its row, and no row without its act.
-- Locks: none that matter, the table is new.

-- One row an act: those that go in bites add up. It is written last of all, and nobody but the act
-- itself, in its next bite, waits for it.
CREATE TABLE tenure.action (
    id      uuid PRIMARY KEY,              -- the act's, chosen by whoever does it
    at      timestamptz NOT NULL,          -- when its first transaction began
    last_at timestamptz NOT NULL,          -- when its last bite was done
    jobs    bigint,                        -- that it has changed; null: it was not about jobs
    verb    text NOT NULL COLLATE "C",     -- cancel, pause, limit …
    thing   text NOT NULL COLLATE "C",     -- what kind of thing: job, queue, lane, site …
    whom    text NOT NULL COLLATE "C",     -- as whoever did it calls himself
    source  text NOT NULL COLLATE "C",     -- cli, library, console, sql
    role    text NOT NULL COLLATE "C",     -- who was logged in at the database
    reason  text,
    about   jsonb NOT NULL                 -- its name or ids, or the filter; what was set
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX action_last_at ON tenure.action (last_at DESC, id);
-- What was done to one job, or to a batch.
CREATE INDEX action_about ON tenure.action USING gin (about jsonb_path_ops);
