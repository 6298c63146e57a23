-- Claims from many queues in one call, for a live session: what `claim` does for each of them where
-- there may be something. A queue that has nothing due costs a look into an index or two.
-- `passed` is null where a queue is claimed from the head; else `from_run_at` has eleven entries
-- of each queue, and `from_id` ten. `over` may be claim rows of any queue.
--
-- A queue with a limit is not claimed from here: it would be waited for with the jobs of others
-- locked. A row that has its name, and no job, says so: it is to be claimed from by itself. One
-- whose `runs` are 0 says that the call has brought enough, and that queue is to be asked for
-- again: what is claimed first waits for what is claimed last.
-- Locks: what `claim` locks, skipping whatever is locked.
CREATE OR REPLACE FUNCTION tenure.claim_queues(
    session bigint, queues text[], wanted_kinds text[], wanted integer[], ahead integer[],
    wanted_versions smallint[] DEFAULT NULL,
    from_run_at timestamptz[] DEFAULT NULL, from_id uuid[] DEFAULT NULL,
    over bigint[] DEFAULT NULL, passed bigint[] DEFAULT NULL)
RETURNS SETOF tenure.claimed_job
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    most   CONSTANT integer := 1000;
    due    CONSTANT timestamptz := clock_timestamp();
    spot   record;
    other  tenure.claimed_job;
    taken  integer := 0;
    number integer;
BEGIN
    DELETE FROM tenure.claim_row c WHERE c.number = ANY (over) AND c.session_id = session;
    FOR spot IN
        SELECT w.queue, w.wanted, w.ahead, w.n, EXISTS (
                   SELECT FROM tenure.queue q
                   WHERE q.name = w.queue
                     AND (q.max_running IS NOT NULL OR q.min_interval > '0')) AS is_limited
        FROM unnest(queues, wanted, ahead) WITH ORDINALITY AS w (queue, wanted, ahead, n)
        WHERE EXISTS (
                SELECT FROM tenure.job j
                WHERE j.queue = w.queue AND j.lane IS NULL
                  AND j.state IN ('scheduled', 'available', 'retryable'))
              -- What is later doesn't hide what is due behind it, of another priority.
              AND EXISTS (
                SELECT FROM generate_series(0, 9) AS p (priority)
                CROSS JOIN LATERAL (
                    SELECT FROM tenure.job j
                    WHERE j.queue = w.queue AND j.priority = p.priority AND j.lane IS NULL
                      AND j.state IN ('scheduled', 'available', 'retryable')
                      AND j.run_at <= due LIMIT 1) AS o)
           OR EXISTS (
                SELECT FROM tenure.lane_holders h
                WHERE h.queue = w.queue AND h.turn_at <= due)
           OR EXISTS (
                SELECT FROM tenure.lane_call c WHERE c.queue = w.queue)
        -- As the caller says: by name, the same ones would be left over again and again.
        ORDER BY w.n
    LOOP
        IF spot.is_limited OR taken >= most THEN
            other.queue := spot.queue;
            other.runs := CASE WHEN spot.is_limited THEN NULL ELSE 0 END;
            RETURN NEXT other;
        ELSE
            RETURN QUERY SELECT * FROM tenure.claim(
                session, spot.queue, wanted_kinds, spot.wanted,
                CASE WHEN passed[spot.n] IS NOT NULL
                    THEN from_run_at[spot.n * 11 - 10 : spot.n * 11] END,
                CASE WHEN passed[spot.n] IS NOT NULL
                    THEN from_id[spot.n * 10 - 9 : spot.n * 10] END,
                spot.ahead, wanted_versions, NULL, coalesce(passed[spot.n], 0));
            GET DIAGNOSTICS number = ROW_COUNT;
            taken := taken + number;
        END IF;
    END LOOP;
END $$;
