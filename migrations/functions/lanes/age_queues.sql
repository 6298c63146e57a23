-- Keeps the less urgent jobs of a queue alive, where an operator wants that (`queue.age_after`): of
-- its plain jobs that are due for longer and behind others of a better priority, the few that wait
-- longest get the priority of the queue's head. Their run time is now, as of a job whose priority
-- is edited: they are in front of nobody's claim position, and behind what is due there already.
-- Returns how many were raised.
-- Locks: jobs, skipping whatever is locked.
CREATE OR REPLACE FUNCTION tenure.age_queues(most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    moment CONSTANT timestamptz := clock_timestamp();
    raised integer;
BEGIN
    IF (most > 0) IS NOT TRUE THEN
        RAISE EXCEPTION 'jobs are aged % at a time', most
            USING ERRCODE = 'TN003', HINT = 'give a number above 0';
    END IF;
    WITH run AS MATERIALIZED (
        SELECT r.id FROM tenure.run_seen r
        WHERE EXISTS (SELECT FROM tenure.queue q WHERE q.age_after IS NOT NULL)
    ), late AS MATERIALIZED (
        SELECT q.name, head.priority AS best, o.id, o.priority
        FROM tenure.queue q
        CROSS JOIN LATERAL (
            SELECT j.priority FROM tenure.job j
            WHERE j.queue = q.name AND j.lane IS NULL
              AND j.state IN ('scheduled', 'available', 'retryable') AND j.run_at <= moment
              AND j.id NOT IN (SELECT r.id FROM run r)
            ORDER BY j.priority, j.run_at, j.id LIMIT 1) AS head
        CROSS JOIN LATERAL (
            SELECT w.id, w.priority
            FROM generate_series(head.priority + 1, 9) AS p (priority)
            CROSS JOIN LATERAL (
                SELECT j.id, j.priority, j.run_at FROM tenure.job j
                WHERE j.queue = q.name AND j.lane IS NULL AND j.priority = p.priority
                  AND j.state IN ('scheduled', 'available', 'retryable')
                  AND j.run_at <= moment - q.age_after
                  AND j.id NOT IN (SELECT r.id FROM run r)
                ORDER BY j.run_at, j.id LIMIT most) AS w
            ORDER BY w.run_at, w.id LIMIT most) AS o
        WHERE q.age_after IS NOT NULL AND q.paused_at IS NULL
    ), locked AS MATERIALIZED (
        SELECT j.ctid AS place, w.best FROM late w
        CROSS JOIN LATERAL (
            SELECT c.ctid FROM tenure.job c
            WHERE c.id = w.id AND c.priority = w.priority AND c.queue = w.name
              AND c.lane IS NULL AND c.state IN ('scheduled', 'available', 'retryable')
            FOR NO KEY UPDATE SKIP LOCKED) AS j
    )
    UPDATE tenure.job j SET priority = k.best, run_at = moment
    FROM locked k WHERE j.ctid = k.place;
    GET DIAGNOSTICS raised = ROW_COUNT;
    RETURN raised;
END $$;

-- Sets after how long a queue's less urgent jobs go to its front; null: never.
CREATE OR REPLACE FUNCTION tenure.set_ageing(
    queue_name text, patience interval, by_whom text DEFAULT NULL, note jsonb DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.check_name('queue', queue_name, 128);
    IF patience IS NOT NULL
       AND (extract(epoch FROM patience) BETWEEN 1 AND 31536000) IS NOT TRUE THEN
        RAISE EXCEPTION 'jobs of queue "%" age after %', queue_name, patience
            USING ERRCODE = 'TN003', HINT = 'give 1 second to 365 days, or null for never';
    END IF;
    INSERT INTO tenure.queue (name, age_after) VALUES (queue_name, patience)
    ON CONFLICT (name) DO UPDATE SET age_after = EXCLUDED.age_after;
    PERFORM tenure.note_action(
        'age', 'queue', jsonb_strip_nulls(jsonb_build_object(
            'name', queue_name, 'afterSeconds', extract(epoch FROM patience))),
        NULL, by_whom, note);
END $$;
