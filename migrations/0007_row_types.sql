-- The rows that the steps hand each other: no tables, and nothing is stored in them.
--
-- Why: functions are put in place anew with each release (functions/), and a type can't be replaced
-- while a function names it. After the first release a type that changes gets a new name, in a new
-- numbered file: functions build these rows by place, and with a field more those of the release
-- before would fail until the new ones are there.
-- Locks: none.

-- What a job looks like on its way in. `ordinal` is its place in the caller's array. No pending job
-- of its key is older than `oldest`: those below the floor were retired when it was raised, and
-- whoever puts a running one back looks at floor and `committed` first. Null where the subject is
-- new: then there are none at all.
CREATE TYPE tenure.new_job AS (
    ordinal integer, turn integer, id uuid, kind text, queue text, key text, mode text,
    generation bigint, oldest bigint, payload jsonb, payload_version smallint, priority smallint,
    run_at timestamptz, max_attempts integer, not_after timestamptz, overlap boolean,
    max_wait interval, lane text, lane_max_running integer, lane_min_interval interval,
    batch_id uuid, parent_id uuid, retry_of uuid, trace text, calendar boolean,
    is_given boolean,                       -- its id is the caller's, and stands for one enqueue
    -- What has to end first: [{"completed": id}, {"ended": id}, …]; or whose key has to commit:
    -- {"key": {"kind": kind, "key": key}}. Null: nothing.
    waits jsonb,
    within interval,                        -- keeping: so long the key's last one stands for it
    lane_burst integer, lane_weight smallint, lane_strict boolean,
    tags text[]                             -- null: none
);

-- The job that stands for an enqueue: a new one, or one that was there.
CREATE TYPE tenure.enqueued AS (ordinal integer, id uuid, generation bigint, result text);

-- One of several jobs of its key in a call. Jobs of one `stage` and `era` come to one job, named by
-- the ordinal of its `first`.
CREATE TYPE tenure.in_series AS (
    job tenure.new_job, stage integer, era integer, first integer, content bigint,
    folded tenure.new_job, successor uuid
);

-- What a claim hands to a worker. `place` is where the row lies: a hint for `complete_group`;
-- `turn` that of the lane which was the first in line, for jobs of lanes.
CREATE TYPE tenure.claimed_job AS (
    id uuid, fence bigint, kind text, key text, generation bigint, payload jsonb,
    payload_version smallint, priority smallint, run_at timestamptz, attempt integer,
    max_attempts integer, runs integer, lane text, batch_id uuid, parent_id uuid, trace text,
    created_at timestamptz, claimed_at timestamptz, queue text, place tid, turn timestamptz
);

-- One run's end as the worker reports it. `wanted` is one of: completed, failed, snoozed,
-- discarded, cancelled, superseded, handed_back, held, reclaimed, unbegun, waits. `also` says what
-- else is to be done: {"hold": {"queue", "lane", "for", "reason"}} puts a lane on hold;
-- {"move": {"lane", "max_running", "min_interval", "burst", "weight", "strict", "payload",
-- "payload_version"}} lets a snoozed job go on in another; {"wait": [{"step", "signal", "for" or
-- "until"}, …]} what one that `waits` waits for; {"log": [{"at", "level", "message"}, …]} the last
-- lines that the run has logged, where they are kept.
CREATE TYPE tenure.ending AS (
    id uuid, fence bigint, wanted text, delay interval, result jsonb, reason text,
    error_code text, error_message text, hold_version text, also jsonb
);

-- What became of it: completed, retryable, scheduled, available, waiting, held, discarded,
-- cancelled, superseded; `late` when the fence was gone; `busy` when it was locked and no one
-- waited. `awaited`: the job is over, and others wait for that: `settle_ends` is to be called with
-- its id, best once this is committed.
CREATE TYPE tenure.ended AS (id uuid, fence bigint, became text, awaited boolean);

-- Who waits for a job that has ended: the `place` of that end in a list, and whether the waiter is
-- to be cancelled because of it.
CREATE TYPE tenure.waiter AS (place bigint, id uuid, fails boolean);

-- A job and the decision on it, under locks.
CREATE TYPE tenure.decision AS (
    id uuid, fence bigint, became text, delay interval, result jsonb, reason text, refund boolean,
    error_code text, error_message text, hold_version text, unbegun boolean
);

-- One that is to get another priority, since it has waited for long.
CREATE TYPE tenure.aged_job AS (
    id uuid, queue text, priority smallint, best smallint, run_at timestamptz
);

-- A cron expression, read.
CREATE TYPE tenure.cron AS (
    minutes integer[], hours integer[], days integer[], months integer[], weekdays integer[],
    every_hour boolean,   -- the field is *
    any_day boolean, any_weekday boolean
);

-- What came of a batch that had no job left. `ended` is false where somebody holds a lock that its
-- end needs: to be tried again. `refused` says why what its end was to enqueue could not be; it has
-- ended all the same. `queues` have something to claim: they are to be told, afterwards.
CREATE TYPE tenure.settled_batch AS (id uuid, ended boolean, refused text, queues text[]);
