-- How full queues with a capacity are: what producers are told when they bring more.
--
-- Why: an enqueue can't count the jobs before it, and need not: a capacity keeps a queue from
-- growing for hours, not from being a little over it. So one count a second serves all producers,
-- and only while somebody asks (docs/decisions/back-pressure.md).
-- Locks: the row of the count alone, and whoever finds it locked takes what is known.

-- The capacity of a queue and how much waits in it, as counted at most a second ago, or twenty
-- times what the count takes; and how long ago. No row where it has no capacity.
CREATE OR REPLACE FUNCTION tenure.read_capacity(wanted_queue text)
RETURNS TABLE (capacity integer, pending bigint, age interval)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    most   integer;
    known  tenure.queue_capacity;
    start  timestamptz := clock_timestamp();
    number bigint;
BEGIN
    SELECT q.capacity INTO most FROM tenure.queue q WHERE q.name = wanted_queue;
    IF most IS NULL THEN
        RETURN;
    END IF;
    SELECT * INTO known FROM tenure.queue_capacity l WHERE l.queue = wanted_queue;
    -- A row that somebody is making just now would be waited for.
    IF known.next_at IS NULL AND tenure.try_turn('queue_capacity') THEN
        INSERT INTO tenure.queue_capacity (queue, pending, counted_at, next_at)
        VALUES (wanted_queue, 0, '-infinity', '-infinity') ON CONFLICT DO NOTHING;
    END IF;
    -- A time further ahead than any count takes was written before the clock was set back.
    PERFORM FROM tenure.queue_capacity l
    WHERE l.queue = wanted_queue
      AND (l.next_at <= start OR l.counted_at > start) FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
        number := tenure.count_pending(wanted_queue, most + 1::bigint);
        UPDATE tenure.queue_capacity l
        SET pending = number, counted_at = start,
            next_at = clock_timestamp()
                + greatest(interval '1 s', (clock_timestamp() - start) * 20)
        WHERE l.queue = wanted_queue;
        known.pending := number;
        known.counted_at := start;
    ELSIF known.next_at < start - interval '10 s' THEN
        -- Somebody keeps the count locked in an open transaction: an old one is none.
        known := NULL;
    END IF;
    capacity := most;
    -- Null where somebody else is counting for the first time, or for too long.
    pending := coalesce(known.pending, tenure.count_pending(wanted_queue, most + 1::bigint));
    age := greatest(
        clock_timestamp() - coalesce(nullif(known.counted_at, '-infinity'), start), interval '0');
    RETURN NEXT;
END $$;

-- How many jobs wait in a queue to run, later ones too; counted no further than `most`.
CREATE OR REPLACE FUNCTION tenure.count_pending(wanted_queue text, most bigint) RETURNS bigint
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    folded CONSTANT bigint := tenure.count_folded(wanted_queue);
BEGIN
    RETURN (SELECT count(*) FROM (
        SELECT FROM tenure.job j
        WHERE j.queue = wanted_queue AND j.lane IS NULL
          AND j.state IN ('scheduled', 'available', 'retryable') LIMIT most + folded) AS plain)
         + (SELECT count(*) FROM (
        SELECT FROM tenure.job j
        WHERE j.queue = wanted_queue AND j.lane IS NOT NULL
          AND j.state IN ('scheduled', 'available', 'retryable') LIMIT most) AS laned)
         - folded;
END $$;

-- How many jobs of a queue run that claim rows speak for.
CREATE OR REPLACE FUNCTION tenure.count_folded(wanted_queue text) RETURNS bigint
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    RETURN (SELECT count(*) FROM tenure.folded_run f CROSS JOIN LATERAL (
                SELECT FROM tenure.job j
                WHERE j.id = f.job_id AND j.created_at = f.made AND j.runs = 0 AND j.fence IS NULL
                OFFSET 0) AS j
            WHERE f.queue = wanted_queue);
END $$;
