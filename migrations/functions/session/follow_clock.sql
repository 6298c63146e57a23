-- The database's clock was set back: what was due or had a pause to wait for would wait longer, by
-- as much. Those times go back too; dates of the calendar (a producer's `run_at`) stay. By
-- compare-and-set on the steps: whoever watched the clock best is first, and once is enough.
-- Waits for nobody: what is locked just then keeps its time, and so does a transaction that was
-- open meanwhile. A pause of a job that was written since the step is cut short.
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
    PERFORM tenure.require_read_committed('a look at the clock');
    IF (back > '0' AND tenure.is_bearable(back)) IS NOT TRUE THEN
        RAISE EXCEPTION 'a clock goes back by a time of its own, not by %', back
            USING ERRCODE = 'TN003', HINT = 'give more than 0 and no more than 1000 years';
    END IF;
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
    WHERE w.ctid = ANY (array(
        SELECT o.ctid FROM tenure.job_wait o WHERE o.until > moment AND o.until < 'infinity'
        FOR NO KEY UPDATE SKIP LOCKED));
    UPDATE tenure.kept_key k
    SET made_at = k.made_at - follow_clock.back, kept_until = k.kept_until - follow_clock.back
    WHERE k.ctid = ANY (array(
        SELECT o.ctid FROM tenure.kept_key o WHERE o.made_at > moment FOR UPDATE SKIP LOCKED));
    UPDATE tenure.job_end e SET again_at = moment
    WHERE e.ctid = ANY (array(
        SELECT o.ctid FROM tenure.job_end o WHERE NOT o.is_settled AND o.again_at > moment
        FOR NO KEY UPDATE SKIP LOCKED));
    PERFORM tenure.follow_lanes(moment, back), tenure.follow_queues(moment, back);
    RETURN queues;
END $$;

-- The same for lanes: their turns, what they have paid for, their holds and calls. Each has its row
-- locked, as for whoever else writes that (`move_lanes`), and is read behind the lock. The jobs
-- have moved to before where claims have got to: those begin anew.
CREATE OR REPLACE FUNCTION tenure.follow_lanes(moment timestamptz, back interval) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    mine tenure.lane[];
BEGIN
    mine := array(
        SELECT l FROM tenure.lane l
        WHERE EXISTS (
            SELECT FROM tenure.lane_holders h
            WHERE h.queue = l.queue AND h.lane = l.name
              AND (h.turn_at > moment AND h.turn_at < 'infinity' OR h.next_at > moment
                   OR h.past_run_at > moment))
        ORDER BY l.queue, l.name FOR NO KEY UPDATE SKIP LOCKED);
    WITH was AS MATERIALIZED (
        SELECT h.*, tenure.paid_before(
                   h.next_at, l.min_interval, l.burst, follow_lanes.moment, back) AS paid
        FROM unnest(mine) AS l CROSS JOIN LATERAL (
            SELECT h.ctid AS place, h.* FROM tenure.lane_holders h
            WHERE h.queue = l.queue AND h.lane = l.name ORDER BY h.n DESC LIMIT 1) AS h
    ), gone AS (
        DELETE FROM tenure.lane_holders h WHERE h.ctid = ANY (array(SELECT w.place FROM was w))
    )
    INSERT INTO tenure.lane_holders (
        queue, lane, n, next_at, turn_at, running_ids, last_fence, turns)
    SELECT w.queue, w.lane, w.n + 1, w.paid,
           CASE WHEN w.turn_at > moment THEN w.turn_at - back ELSE w.turn_at END, w.running_ids,
           w.last_fence, w.turns
    FROM was w;
    UPDATE tenure.lane_call c SET at = c.at - back
    WHERE c.ctid = ANY (array(
        SELECT o.ctid FROM tenure.lane_call o WHERE o.at > moment FOR UPDATE SKIP LOCKED));
    -- A claim that is under way may send a lane to rest until the old time: the lane is called.
    WITH moved AS (
        UPDATE tenure.lane_hold o SET until = o.until - back
        WHERE o.ctid = ANY (array(
            SELECT h.ctid FROM tenure.lane_hold h WHERE h.until > moment AND h.until < 'infinity'
            FOR UPDATE SKIP LOCKED))
        RETURNING o.queue, o.lane
    )
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT DISTINCT m.queue, m.lane, moment FROM moved m;
END $$;

-- The same for queues with a rate.
CREATE OR REPLACE FUNCTION tenure.follow_queues(moment timestamptz, back interval) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH ahead AS MATERIALIZED (
        SELECT h.ctid AS place, tenure.paid_before(
                   h.next_at, q.min_interval, q.burst, moment, back) AS paid
        FROM tenure.queue_holders h JOIN tenure.queue q ON q.name = h.queue
        WHERE h.next_at > moment
        FOR UPDATE OF h SKIP LOCKED
    )
    UPDATE tenure.queue_holders h SET next_at = a.paid FROM ahead a WHERE h.ctid = a.place;
END $$;

-- Until when starts are paid for, by the clock as it is now. What lies no further ahead than the
-- burst may have been written since the step, and stays: a start since then is not forgotten. By
-- the clock as it was stepped a burst that was used may come again: where there is one, nothing is
-- left of it.
CREATE OR REPLACE FUNCTION tenure.paid_before(
    next_at timestamptz, min_interval interval, burst integer, moment timestamptz, back interval)
RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    owed CONSTANT interval := tenure.lane_pause(min_interval)
                              * tenure.lane_burst(min_interval, burst);
BEGIN
    RETURN CASE WHEN next_at <= moment THEN next_at
                WHEN tenure.lane_burst(min_interval, burst) > 1 THEN moment + owed
                WHEN next_at > moment + owed THEN next_at - back
                ELSE next_at END;
END $$;
