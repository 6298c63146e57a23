-- The hot tables: what is unfinished, what it is about, who runs it.
--
-- Why: `job` holds unfinished jobs only and stays small; a job that ends moves to `job_history`.
-- A lease is the session's, not the job's: one row to renew, however many jobs run.
-- Locks: none that matter, the schema is new.
--
-- No statistics may make a statement read all of `job`: it is empty one moment and has a million
-- rows the next, and VACUUM's count is of some moment before. So rows are fetched one by one, in
-- LATERAL subqueries that hold a lock or OFFSET 0 (the planner can't turn them round), what is
-- written is named by `id = ANY` besides, and plans are general ones (docs/decisions/plans.md).
--
-- The lock order, everywhere:
--     the user's own rows → finished jobs, by id → batches, by id → given ids, sorted
--     → subjects, sorted by (kind, key) → jobs, by id → lanes and queues
-- What follows from it and is relied upon below:
--   * A keyed job's row is waited for only by a transaction that holds its subject.
--   * Claims wait for no job, subject or lane: they skip what is locked.
--   * A statement that locks several jobs without their subjects skips what is locked, or takes
--     them by id.

CREATE TYPE tenure.job_state AS ENUM
    ('scheduled', 'available', 'retryable', 'waiting', 'held', 'running');

CREATE TYPE tenure.job_outcome AS ENUM ('completed', 'cancelled', 'superseded', 'discarded');

-- Cache 1 (the default) is part of the promise: a later draw is a larger number. Each draw of a
-- fence is followed by 1,023 numbers that nobody else gets: the runs of one claim, in a row.
CREATE SEQUENCE tenure.generation;
CREATE SEQUENCE tenure.fence INCREMENT BY 1024;

-- One run of a worker or coordinator process. Its beat is its lease: nobody compares clocks,
-- whoever watches a beat stand still for `lease` on its own clock may declare the session dead.
CREATE TABLE tenure.session (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    beat         bigint NOT NULL DEFAULT 0,
    lease        interval NOT NULL,
    started_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    beaten_at    timestamptz NOT NULL DEFAULT clock_timestamp(),  -- for people, never for a rule
    ended_at     timestamptz,              -- dead from here on, and never alive again
    reclaimed_at timestamptz,              -- no job is left in its name
    died         boolean,                  -- declared dead, as against closed
    ended_by     bigint,                   -- the session that declared it
    role         text NOT NULL COLLATE "C",
    name         text NOT NULL,            -- worker.id: for people
    version      text NOT NULL,
    queues       text[] NOT NULL DEFAULT '{}',
    kinds        text[] NOT NULL DEFAULT '{}',
    versions     smallint[] NOT NULL DEFAULT '{}',  -- the newest payload that it reads of each kind
    clock_ahead  interval,                 -- its machine's clock when it opened: for people
    stop_at      timestamptz,              -- an operator asked it to end, in good order
    stop_by      text,
    -- It says which of its runs have begun (`session_begun`). Of one that doesn't, all have that it
    -- has claimed: who calls `claim` by itself starts what it gets.
    says_begun   boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX session_unreclaimed ON tenure.session (id) WHERE reclaimed_at IS NULL;
-- For lists: those that live first, then the latest that ended. A beat changes none of it.
CREATE INDEX session_list ON tenure.session (coalesce(ended_at, 'infinity') DESC, id);

CREATE TABLE tenure.queue (
    name           text COLLATE "C" PRIMARY KEY,
    paused_at      timestamptz,
    paused_by      text,
    max_running    integer CHECK (max_running > 0),
    capacity       integer CHECK (capacity > 0),   -- enqueues are refused above it
    keep_completed boolean NOT NULL DEFAULT true,
    created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- What a start costs, over all workers, and how many may be made at once after a quiet time.
    min_interval   interval NOT NULL DEFAULT '0',
    burst          integer NOT NULL DEFAULT 1 CHECK (burst BETWEEN 1 AND 10000),
    age_after      interval CHECK (age_after > '0')  -- null: urgent jobs always go first
) WITH (fillfactor = 50);
CREATE INDEX queue_unkept ON tenure.queue (name) WHERE NOT keep_completed;

-- The part of a queue that shares a limit.
CREATE TABLE tenure.lane (
    queue          text COLLATE "C",
    name           text COLLATE "C",
    max_running    integer NOT NULL DEFAULT 1 CHECK (max_running > 0),
    min_interval   interval NOT NULL DEFAULT '0',
    set_at         timestamptz,            -- an operator set the limits: they stay as they are
    set_by         text,
    -- So many starts may be made at once after a quiet time; `min_interval` is what each costs.
    burst          integer NOT NULL DEFAULT 1 CHECK (burst BETWEEN 1 AND 10000),
    -- So many turns it has in a row before the others have theirs.
    weight         smallint NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 100),
    -- None of its jobs starts while one that has begun is unfinished, and the first in line first.
    is_strict      boolean NOT NULL DEFAULT false,
    PRIMARY KEY (queue, name)
);

-- Who holds the limit of a queue, and of a lane: written at the claim and looked up in `job`, so
-- that giving a place back costs nothing, and a count is exact. No row: nobody.
--
-- The rows of `queue` and `lane` are only locked. What a claim changes is a row of its own, with a
-- larger number than the one it replaces: the newest is found first. An UPDATE's old versions
-- would lie under the same key, and every look walk over those that an open snapshot keeps. Of a
-- lane one row is alive, and whoever replaces it has the lane's row locked: a claim that has got a
-- lock on it knows that what its snapshot says of the lane is so.
CREATE TABLE tenure.queue_holders (
    queue          text COLLATE "C",
    n              bigint,
    running_ids    uuid[] NOT NULL,
    running_fences bigint[] NOT NULL,
    next_at        timestamptz NOT NULL DEFAULT '-infinity',  -- as a lane's, below
    PRIMARY KEY (queue, n)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE tenure.lane_holders (
    queue          text COLLATE "C",
    lane           text COLLATE "C",
    n              bigint,
    -- Until when its starts are paid for, each with an interval: the next may be made when no more
    -- than its burst, less one, is owed.
    next_at        timestamptz NOT NULL DEFAULT '-infinity',
    past_run_at    timestamptz NOT NULL DEFAULT '-infinity',  -- the last job claimed, in order
    past_id        uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    past_priority  smallint NOT NULL DEFAULT -1,
    -- Whoever runs in the lane is among them; who doesn't any more, or never did, may be. In strict
    -- order: who has begun and isn't over.
    running_ids    uuid[] NOT NULL DEFAULT '{}',
    last_fence     bigint NOT NULL DEFAULT 0,           -- for whoever restores a dump
    turn_at        timestamptz NOT NULL DEFAULT '-infinity',
    turns          smallint NOT NULL DEFAULT 0,         -- had in a row, of its weight
    PRIMARY KEY (queue, lane, n)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- The line in which lanes wait for their turn. A claim begins with the lane that was served the
-- longest ago, and sees none whose turn is ahead: one that waits for its interval, is on hold or
-- has no job that is due (`infinity`: none at all).
CREATE INDEX lane_turn ON tenure.lane_holders (queue, turn_at, lane);

-- A job became pending in a lane whose turn may be later than the job: look at the lane from `at`
-- on. Rows are only added, by whoever makes a job pending, and only taken away, by a claim.
CREATE TABLE tenure.lane_call (
    queue text NOT NULL COLLATE "C",
    lane  text NOT NULL COLLATE "C",
    at    timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX lane_call_lane ON tenure.lane_call (queue, lane, at);

-- No job of the lane starts before `until`. Rows are only added, the latest counts: whoever puts
-- a lane on hold waits for nobody, in any transaction.
CREATE TABLE tenure.lane_hold (
    queue     text NOT NULL COLLATE "C",
    lane      text NOT NULL COLLATE "C",
    until     timestamptz NOT NULL,
    made_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    reason    text,
    held_by   text                         -- an operator's name; null: a job
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX lane_hold_until ON tenure.lane_hold (queue, lane, until);

-- What a key's jobs share: the newest generation given, the oldest that may still commit, the
-- newest that did, and the newest that was given up. One row of a key is alive. A key may be
-- superseded for hours while somebody's open snapshot keeps every version of it: so each generation
-- has an entry of its own in the index, and `subject_of` meets the newest first.
CREATE TABLE tenure.subject (
    kind       text COLLATE "C",
    key        text COLLATE "C",
    issued     bigint,
    floor      bigint NOT NULL DEFAULT 0,
    committed  bigint NOT NULL DEFAULT 0,
    given_up   bigint NOT NULL DEFAULT 0,  -- discarded, or cancelled
    touched_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    given_up_as tenure.job_outcome,        -- the job that was given up last: how, and which
    given_up_id uuid,
    is_awaited boolean NOT NULL DEFAULT false,  -- jobs wait for its commit (`key_wait`)
    PRIMARY KEY (kind, key, issued)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- What is locked in a subject's stead, wherever these pages speak of locking one: a row that never
-- changes. A lock writes into the row; a new version would be met by everybody who comes after.
CREATE TABLE tenure.subject_lock (
    kind    text COLLATE "C",
    key     text COLLATE "C",
    made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (kind, key)
);

-- Columns stand by width, so that none is lost to padding. No CHECK: PostgreSQL reads each anew for
-- every statement, a third of what a single enqueue costs (docs/decisions/enqueue.md). What comes
-- in is checked by `enqueue_jobs` and by the client.
CREATE TABLE tenure.job (
    id              uuid PRIMARY KEY,       -- version 7, made by the producer
    batch_id          uuid,                   -- the batch it belongs to
    parent_id       uuid,
    retry_of        uuid,                   -- the finished job it repeats
    generation      bigint,                 -- null without a key
    fence           bigint,                 -- this run, null unless running
    session_id      bigint,                 -- who runs it, null unless running
    run_at          timestamptz NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    claimed_at      timestamptz,
    not_after       timestamptz,            -- no run starts at or after this
    ending_at       timestamptz,            -- an operator cancelled it while it ran
    state           tenure.job_state NOT NULL,
    attempt         integer NOT NULL DEFAULT 0,
    max_attempts    integer NOT NULL DEFAULT 25,
    runs            integer NOT NULL DEFAULT 0,
    refunds         integer NOT NULL DEFAULT 0,
    payload_version smallint NOT NULL DEFAULT 1,
    priority        smallint NOT NULL DEFAULT 5,      -- 0 to 9
    waits_for_key   boolean NOT NULL DEFAULT false,  -- an older job of its key still runs
    waits_for_jobs  boolean NOT NULL DEFAULT false,  -- others have to end first (`job_after`)
    has_waiters     boolean NOT NULL DEFAULT false,  -- others wait for its end, or did
    calendar        boolean NOT NULL DEFAULT false,  -- run_at is a date of the producer's, no pause
    kind            text NOT NULL COLLATE "C",
    queue           text NOT NULL COLLATE "C",
    key             text COLLATE "C",
    lane            text COLLATE "C",
    payload         jsonb NOT NULL,
    ending_by       text,
    hold_reason     text,
    hold_versions   text[],                 -- the releases that could not run it
    trace           text                    -- W3C traceparent, or the tracer's fields as JSON
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.05);

-- The claim's order: priority, run time, id. A claim is a range of it per priority.
CREATE INDEX job_claim ON tenure.job (queue, priority, run_at, id)
    WHERE state IN ('scheduled', 'available', 'retryable') AND lane IS NULL;
CREATE INDEX job_claim_lane ON tenure.job (queue, lane, priority, run_at, id)
    WHERE state IN ('scheduled', 'available', 'retryable') AND lane IS NOT NULL;

-- One row for all plain jobs of a claim: they run, and their own rows say nothing of it. The first
-- has the fence `number`, the next `number` + 1, and so on. A claim row speaks for a job that it
-- names, by id and by the time of its making (an id may come back), and that never ran before
-- (`runs` = 0): whatever else happens to such a run is written on the job's own row first
-- (`unfold`), and from then on that one counts. So the row of a claim never changes, and goes when
-- none of its jobs is left to speak for (docs/decisions/claim-rows.md).
CREATE TABLE tenure.claim_row (
    number     bigint PRIMARY KEY,
    session_id bigint NOT NULL,
    claimed_at timestamptz NOT NULL,
    queue      text NOT NULL COLLATE "C",
    ids        uuid[] NOT NULL,
    made       timestamptz[] NOT NULL      -- created_at of each
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 100,
        toast.autovacuum_vacuum_scale_factor = 0.02);
-- Ids are hardly made smaller, and it takes time to find out.
ALTER TABLE tenure.claim_row ALTER ids SET STORAGE EXTERNAL, ALTER made SET STORAGE EXTERNAL;
CREATE INDEX claim_row_queue ON tenure.claim_row (queue, number);
CREATE INDEX claim_row_session ON tenure.claim_row (session_id, number);

-- The runs that claim rows speak for, as far as those know: some may be over, or have rows of their
-- own by now.
CREATE VIEW tenure.folded_run AS
    SELECT u.id AS job_id, u.made, c.number + u.spot - 1 AS fence, c.number, c.session_id, c.queue,
           c.claimed_at
    FROM tenure.claim_row c
    CROSS JOIN LATERAL unnest(c.ids, c.made) WITH ORDINALITY AS u (id, made, spot)
    -- A row that somebody has damaged speaks for fewer: a NULL in a list is in every other one.
    WHERE u.id IS NOT NULL AND u.made IS NOT NULL;

-- Unfinished jobs as they are: those that claim rows speak for, running. For people; conditions on
-- what a run changes find no index.
CREATE VIEW tenure.job_seen AS
    SELECT j.id, j.batch_id, j.parent_id, j.retry_of, j.generation,
           coalesce(f.fence, j.fence) AS fence,
           coalesce(f.session_id, j.session_id) AS session_id, j.run_at, j.created_at,
           coalesce(f.claimed_at, j.claimed_at) AS claimed_at, j.not_after, j.ending_at,
           CASE WHEN f.fence IS NULL THEN j.state ELSE 'running' END AS state,
           j.attempt + (f.fence IS NOT NULL)::integer AS attempt, j.max_attempts,
           j.runs + (f.fence IS NOT NULL)::integer AS runs, j.refunds, j.payload_version,
           j.priority, j.waits_for_key, j.calendar, j.kind, j.queue, j.key, j.lane, j.payload,
           j.ending_by, j.hold_reason, j.hold_versions, j.trace
    FROM tenure.job j LEFT JOIN (SELECT f.* FROM tenure.folded_run f OFFSET 0) AS f
      ON f.job_id = j.id AND f.made = j.created_at AND j.runs = 0 AND j.fence IS NULL;

-- What runs, by session.
CREATE VIEW tenure.run_seen AS
    SELECT j.session_id, j.fence, j.id, j.kind, j.queue, j.key, j.attempt, j.claimed_at,
           j.ending_at
    FROM tenure.job j WHERE j.session_id IS NOT NULL
    UNION ALL
    SELECT f.session_id, f.fence, j.id, j.kind, j.queue, j.key, j.attempt + 1, f.claimed_at,
           j.ending_at
    FROM tenure.folded_run f CROSS JOIN LATERAL (
        SELECT j.* FROM tenure.job j
        WHERE j.id = f.job_id AND j.created_at = f.made AND j.runs = 0 AND j.fence IS NULL
        OFFSET 0) AS j;

-- By generation within the key: whoever looks for pending jobs begins at the oldest there can be.
CREATE INDEX job_key ON tenure.job (kind, key, generation) WHERE key IS NOT NULL;

-- By fence within the session: a beat looks only at what was claimed since, never at the dead.
CREATE INDEX job_session ON tenure.job (session_id, fence) WHERE session_id IS NOT NULL;

-- Who waits to expire; few jobs have a moment after which they don't start.
CREATE INDEX job_expiry ON tenure.job (not_after)
    WHERE not_after IS NOT NULL AND state <> 'running';
CREATE INDEX job_held ON tenure.job (kind) WHERE state = 'held';

-- Who waits for a run that may be over, for a signal, or for other jobs.
CREATE INDEX job_waiting ON tenure.job (id) WHERE state = 'waiting';

-- For counts by queue of what no claim looks at.
CREATE INDEX job_parked ON tenure.job (queue, state, kind) WHERE state IN ('waiting', 'held');

-- Whether a lane that seems idle is still needed.
CREATE INDEX job_parked_lane ON tenure.job (queue, lane)
    WHERE lane IS NOT NULL AND state IN ('waiting', 'held');
CREATE INDEX job_batch ON tenure.job (batch_id, id) WHERE batch_id IS NOT NULL;
