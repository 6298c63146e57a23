-- The database's clock was set back: what was due or had a pause to wait for would wait longer, by
-- as much. Those times go back too; dates of the calendar (a producer's `run_at`) stay. By
-- compare-and-set on the steps: whoever watched the clock best is first, and once is enough.
-- What is locked just then keeps its time, and so does a transaction that was open meanwhile.
-- Returns the queues that have something to claim, to be told afterwards; null where somebody else
-- was first.
CREATE OR REPLACE FUNCTION tenure.follow_clock(seen_steps bigint, back interval, finder bigint)
RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    queues text[];
    mine   uuid[];
BEGIN
    UPDATE tenure.clock c
    SET steps = c.steps + 1, back = follow_clock.back, found_at = moment, found_by = finder
    WHERE c.one AND c.steps = seen_steps;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    mine := array(
        SELECT j.id FROM (
            SELECT j.id FROM tenure.job j
            WHERE j.run_at > moment AND NOT j.calendar AND j.state <> 'running'
            ORDER BY j.id FOR NO KEY UPDATE SKIP LOCKED) AS j);
    -- Behind the locks: what a claim row speaks for runs, and is named by its created_at.
    WITH ahead AS MATERIALIZED (
        SELECT m.id FROM unnest(mine) AS m (id)
        WHERE m.id NOT IN (SELECT f.job_id FROM tenure.folded_run f)
    ), moved AS (
        UPDATE tenure.job j
        SET run_at = j.run_at - follow_clock.back,
            -- A debounced job's longest wait is counted from here. Whom others wait for is known
            -- to them by it.
            created_at = CASE WHEN j.created_at > moment AND NOT j.has_waiters
                              THEN j.created_at - follow_clock.back
                              ELSE j.created_at END
        FROM ahead a WHERE j.id = a.id
        RETURNING j.queue, j.lane
    ), called AS (
        INSERT INTO tenure.lane_call (queue, lane, at)
        SELECT DISTINCT m.queue, m.lane, moment FROM moved m WHERE m.lane IS NOT NULL
    )
    SELECT coalesce(array_agg(DISTINCT m.queue), '{}') INTO queues FROM moved m;
    UPDATE tenure.job_wait w SET until = w.until - follow_clock.back
    WHERE w.until > moment AND w.until < 'infinity';
    -- Whoever has one locked may wait for a job that is locked here.
    WITH ahead AS MATERIALIZED (
        SELECT k.ctid AS place FROM tenure.kept_key k WHERE k.made_at > moment
        FOR UPDATE SKIP LOCKED
    )
    UPDATE tenure.kept_key k
    SET made_at = k.made_at - follow_clock.back, kept_until = k.kept_until - follow_clock.back
    FROM ahead a WHERE k.ctid = a.place;
    UPDATE tenure.job_end e SET again_at = moment WHERE NOT e.is_settled AND e.again_at > moment;
    -- A step is rare: versions under a key that is read often may be made here. By the clock as it
    -- was stepped a burst that was used may come again: where there is one, nothing is left of it.
    -- The jobs have moved to before where the lanes' claims have got to: those begin anew.
    WITH ahead AS MATERIALIZED (
        SELECT h.ctid AS place, tenure.lane_pause(l.min_interval)
                                  * tenure.lane_burst(l.min_interval, l.burst) AS owed, l.burst
        FROM tenure.lane_holders h
        JOIN tenure.lane l ON l.queue = h.queue AND l.name = h.lane
        WHERE h.turn_at > moment AND h.turn_at < 'infinity' OR h.next_at > moment
           OR h.past_run_at > moment
        FOR UPDATE OF h SKIP LOCKED
    )
    UPDATE tenure.lane_holders h
    SET turn_at = h.turn_at - follow_clock.back,
        next_at = CASE WHEN a.burst > 1 THEN moment + a.owed
                       ELSE h.next_at - follow_clock.back END,
        past_priority = DEFAULT, past_run_at = DEFAULT, past_id = DEFAULT
    FROM ahead a WHERE h.ctid = a.place;
    WITH ahead AS MATERIALIZED (
        SELECT h.ctid AS place, tenure.lane_pause(q.min_interval)
                                  * tenure.lane_burst(q.min_interval, q.burst) AS owed, q.burst
        FROM tenure.queue_holders h JOIN tenure.queue q ON q.name = h.queue
        WHERE h.next_at > moment
        FOR UPDATE OF h SKIP LOCKED
    )
    UPDATE tenure.queue_holders h
    SET next_at = CASE WHEN a.burst > 1 THEN moment + a.owed
                       ELSE h.next_at - follow_clock.back END
    FROM ahead a WHERE h.ctid = a.place;
    UPDATE tenure.lane_call c SET at = c.at - follow_clock.back WHERE c.at > moment;
    -- A claim that is under way may send a lane to rest until the old time: the lane is called.
    WITH moved AS (
        UPDATE tenure.lane_hold o SET until = o.until - follow_clock.back WHERE o.until > moment
        RETURNING o.queue, o.lane
    )
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT DISTINCT m.queue, m.lane, moment FROM moved m;
    RETURN queues;
END $$;
