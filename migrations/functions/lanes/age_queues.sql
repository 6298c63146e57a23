-- Keeps the less urgent jobs of a queue alive, where an operator wants that (`queue.age_after`): of
-- its plain jobs that are due for longer and behind others of a better priority, the few that wait
-- longest get the priority of the queue's head. Their run time is now, as of a job whose priority
-- is edited: they are in front of nobody's claim position, and behind what is due there already.
-- Whoever can't start, as far as the database knows, is no head and does not age. Returns how many
-- were raised.
-- Locks: jobs, skipping whatever is locked.
CREATE OR REPLACE FUNCTION tenure.age_queues(most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    late   tenure.aged_job[];
    mine   tenure.aged_job[];
    moment timestamptz;
    raised integer;
BEGIN
    IF (most > 0) IS NOT TRUE THEN
        RAISE EXCEPTION 'jobs are aged % at a time', most
            USING ERRCODE = 'TN003', HINT = 'give a number above 0';
    END IF;
    -- Whom claim rows speak for is seen behind the locks, by a fresh look.
    PERFORM tenure.require_read_committed('a look at what has waited for long');
    late := array(
        SELECT l.aged FROM tenure.queue q
        CROSS JOIN LATERAL (
            SELECT f AS aged FROM tenure.find_late(q.name, q.age_after, most) AS f
            ORDER BY f.run_at, f.id LIMIT most) AS l
        WHERE q.age_after IS NOT NULL AND q.paused_at IS NULL);
    IF late = '{}' THEN
        RETURN 0;
    END IF;
    mine := array(
        SELECT l FROM unnest(late) AS l CROSS JOIN LATERAL (
            SELECT FROM tenure.job c
            WHERE c.id = l.id AND c.priority = l.priority AND c.queue = l.queue
              AND c.lane IS NULL AND c.state IN ('scheduled', 'available', 'retryable')
            FOR NO KEY UPDATE SKIP LOCKED) AS c);
    -- In the order in which they waited.
    moment := clock_timestamp();
    UPDATE tenure.job j
    SET priority = m.best, calendar = false,
        run_at = moment + m.place * interval '1 microsecond'
    FROM (SELECT l.*, row_number() OVER (ORDER BY l.run_at, l.id) AS place
          FROM unnest(mine) AS l) AS m
    WHERE j.id = m.id AND j.id = ANY (array(SELECT l.id FROM unnest(mine) AS l))
      AND j.id NOT IN (SELECT f.job_id FROM tenure.folded_run f);
    GET DIAGNOSTICS raised = ROW_COUNT;
    RETURN raised;
END $$;

-- Those of a queue that are due for so long behind its head, those that wait longest first. Looks
-- at ten thousand of a priority at most: behind more that can't start nobody ages.
CREATE OR REPLACE FUNCTION tenure.find_late(of_queue text, patience interval, most integer)
RETURNS SETOF tenure.aged_job
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
    moment CONSTANT timestamptz := clock_timestamp();
    paused CONSTANT text[] := array(
        SELECT k.name FROM tenure.kind k WHERE k.paused_at IS NOT NULL);
    ending CONSTANT uuid[] := array(
        SELECT r.id FROM tenure.batch r WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL);
    -- A claim row may have come since: whoever is about to raise one looks again.
    runs   CONSTANT uuid[] := array(SELECT r.id FROM tenure.run_seen r);
    best   smallint;
BEGIN
    FOR at_priority IN 0..9 LOOP
        IF best IS NULL THEN
            SELECT j.priority INTO best FROM (
                SELECT j.id, j.kind, j.priority, j.not_after, j.batch_id FROM tenure.job j
                WHERE j.queue = of_queue AND j.lane IS NULL AND j.priority = at_priority
                  AND j.state IN ('scheduled', 'available', 'retryable') AND j.run_at <= moment
                ORDER BY j.run_at, j.id LIMIT 10000) AS j
            WHERE j.kind <> ALL (paused) AND (j.not_after IS NULL OR j.not_after > moment)
              AND (j.batch_id IS NULL OR j.batch_id <> ALL (ending))
              AND j.id NOT IN (SELECT r.id FROM unnest(runs) AS r (id)) LIMIT 1;
        ELSE
            RETURN QUERY
            SELECT j.id, of_queue, j.priority, best, j.run_at FROM (
                SELECT j.id, j.kind, j.priority, j.not_after, j.batch_id, j.run_at
                FROM tenure.job j
                WHERE j.queue = of_queue AND j.lane IS NULL AND j.priority = at_priority
                  AND j.state IN ('scheduled', 'available', 'retryable')
                  AND j.run_at <= moment - patience
                ORDER BY j.run_at, j.id LIMIT 10000) AS j
            WHERE j.kind <> ALL (paused) AND (j.not_after IS NULL OR j.not_after > moment)
              AND (j.batch_id IS NULL OR j.batch_id <> ALL (ending))
              AND j.id NOT IN (SELECT r.id FROM unnest(runs) AS r (id)) LIMIT most;
        END IF;
    END LOOP;
END $$;

-- Sets after how long a queue's less urgent jobs go to its front; null: never.
CREATE OR REPLACE FUNCTION tenure.set_ageing(
    queue_name text, patience interval, by_whom text DEFAULT NULL, note jsonb DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    seconds CONSTANT numeric := extract(epoch FROM patience);
BEGIN
    PERFORM tenure.check_name('queue', queue_name, 128);
    IF patience IS NOT NULL AND (seconds BETWEEN 1 AND 31536000) IS NOT TRUE THEN
        RAISE EXCEPTION 'jobs of queue "%" age after %', queue_name, patience
            USING ERRCODE = 'TN003', HINT = 'give 1 second to 365 days, or null for never';
    END IF;
    INSERT INTO tenure.queue (name, age_after)
    VALUES (queue_name, make_interval(secs => seconds::float8))
    ON CONFLICT (name) DO UPDATE SET age_after = EXCLUDED.age_after;
    PERFORM tenure.note_action(
        'age', 'queue', jsonb_strip_nulls(jsonb_build_object(
            'name', queue_name, 'afterSeconds', seconds)), NULL, by_whom, note);
END $$;
