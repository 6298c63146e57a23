-- Batches: trees of jobs that are cancelled, counted and ended as one.
--
-- Why: a batch is a row that most of its life nobody writes; its jobs name it, and are found by
-- index. How it is entered, cancelled and ended: functions/batches/start_batch.sql.
-- Locks: none that matter, the tables are new.

CREATE TABLE tenure.batch (
    id         uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ending_at  timestamptz,                    -- somebody cancelled it
    ended_at   timestamptz,                    -- nothing of it is left, and nothing more comes in
    is_whole   boolean NOT NULL DEFAULT false, -- started with its first jobs: it can end by itself
    ending_by  text,
    follow_up  jsonb,                          -- what its end enqueues, as enqueue_jobs takes it
    refused    text,                           -- why its end could not enqueue that
    has_forgotten boolean NOT NULL DEFAULT false  -- a job of it was: its end keeps nothing of that
) WITH (fillfactor = 50);

-- What can end: few, however many have ended.
CREATE INDEX batch_open ON tenure.batch (id)
    WHERE ended_at IS NULL AND (is_whole OR ending_at IS NOT NULL);

-- What claims leave alone.
CREATE INDEX batch_ending ON tenure.batch (id) WHERE ending_at IS NOT NULL AND ended_at IS NULL;

-- What the doctor asks for.
CREATE INDEX batch_refused ON tenure.batch (ended_at) WHERE refused IS NOT NULL;

-- For counts. Jobs without a batch are not in it.
CREATE INDEX job_history_batch ON tenure.job_history (batch_id, outcome)
    WHERE batch_id IS NOT NULL;
