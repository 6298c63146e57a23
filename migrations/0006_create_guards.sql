-- What an enqueue or a claim has to respect besides the jobs: ids that stand for one enqueue,
-- kinds that are paused and what died of them, and how full queues with a bound are.
--
-- Why: each has rows of its own, so that jobs which have to do with none of them pay nothing.
-- Locks: none that matter, the tables are new.

CREATE TABLE tenure.kind (
    name      text COLLATE "C" PRIMARY KEY,
    paused_at timestamptz,
    paused_by text,
    reason    text
) WITH (fillfactor = 50);
CREATE INDEX kind_paused ON tenure.kind (name) WHERE paused_at IS NOT NULL;

-- A process died while it ran jobs of this kind: the last of them was claimed at `claimed_at`. It
-- was dead at `died_at`, when its next beat was overdue: not earlier than that, so that those who
-- died with it don't count as its successors. `alone`: it ran nothing but these.
CREATE TABLE tenure.kind_death (
    kind       text NOT NULL COLLATE "C",
    session_id bigint NOT NULL,
    claimed_at timestamptz NOT NULL,
    died_at    timestamptz NOT NULL,
    alone      boolean NOT NULL
);
CREATE INDEX kind_death_kind ON tenure.kind_death (kind, died_at);

CREATE TABLE tenure.queue_capacity (
    queue      text COLLATE "C" PRIMARY KEY,
    pending    bigint NOT NULL,
    counted_at timestamptz NOT NULL,
    next_at    timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE tenure.given_id (
    id       uuid PRIMARY KEY,
    job_id   uuid NOT NULL,                 -- the job that stands for it: by its key, another one
    given_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX given_id_age ON tenure.given_id (given_at, id);
CREATE INDEX given_id_other ON tenure.given_id (job_id) WHERE job_id <> id;

-- The jobs of a key that stand for later enqueues for a time, once they are completed: history has
-- no index by key, and may not have been kept.
CREATE TABLE tenure.kept_key (
    kind       text COLLATE "C",
    key        text COLLATE "C",
    generation bigint NOT NULL,
    job_id     uuid NOT NULL,
    made_at    timestamptz NOT NULL,
    kept_until timestamptz NOT NULL,        -- after it nobody asks: it is forgotten
    PRIMARY KEY (kind, key, generation)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX kept_key_end ON tenure.kept_key (kept_until);
CREATE INDEX kept_key_job ON tenure.kept_key (job_id);
