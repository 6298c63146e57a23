-- Who leads, and what is enqueued at ticks.
--
-- Why: any number of coordinators may run; the row of the one that leads has a term, and a schedule
-- fires once a tick however many look at it.
-- Locks: none that matter, the tables are new.

CREATE TABLE tenure.leader (
    name    text COLLATE "C" PRIMARY KEY,
    session bigint NOT NULL,
    term    bigint NOT NULL DEFAULT 1,
    since   timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

-- A job enqueued at ticks: at an interval, or at the times of a cron expression on the wall clock
-- of a time zone.
CREATE TABLE tenure.schedule (
    name       text COLLATE "C" PRIMARY KEY,
    every      interval CHECK (every > '0'),
    cron       text,
    zone       text,
    next_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    paused_at  timestamptz,
    paused_by  text,
    job        jsonb NOT NULL,        -- as enqueue_jobs takes it
    fired      bigint NOT NULL DEFAULT 0,
    fired_at   timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK ((every IS NULL) = (cron IS NOT NULL) AND (cron IS NULL) = (zone IS NULL))
);
