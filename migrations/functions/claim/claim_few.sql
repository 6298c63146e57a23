-- The short way of a claim from the head, for who waits with free slots: the ordinary case, asked
-- for in one statement and written in a second one, where `claim` has a dozen. A pick-up is mostly
-- that (docs/decisions/short-claims.md). Where anything is out of the ordinary (somebody has the
-- session's row; a pause, a limit, lanes, claim rows; another isolation, a commit that isn't
-- durable), nothing is decided here: it is left to `claim`.
--
-- Locks, as `claim`: the session (shared), then jobs, skipping whatever is locked.
CREATE OR REPLACE FUNCTION tenure.claim_few(
    session bigint, wanted_queue text, wanted_kinds text[], wanted integer,
    wanted_versions smallint[] DEFAULT NULL)
RETURNS SETOF tenure.claimed_job
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    due    CONSTANT timestamptz := clock_timestamp();
    places tid[];
    taken  integer := 0;
BEGIN
    SELECT array(
        SELECT j.place
        FROM generate_series(0, 9) AS p (priority)
        CROSS JOIN LATERAL (
            SELECT c.ctid AS place
            FROM tenure.job c
            WHERE c.queue = wanted_queue AND c.priority = p.priority
              AND c.state IN ('scheduled', 'available', 'retryable') AND c.lane IS NULL
              AND c.run_at <= due
              AND c.kind = ANY (wanted_kinds)
              AND tenure.can_read(c.payload_version, c.kind, wanted_kinds, wanted_versions)
              AND (c.hold_versions IS NULL OR s.version <> ALL (c.hold_versions))
              AND (c.not_after IS NULL OR c.not_after > due)
              AND (c.batch_id IS NULL OR c.batch_id <> ALL (array(
                  SELECT r.id FROM tenure.batch r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
            ORDER BY c.run_at, c.id LIMIT wanted
            FOR NO KEY UPDATE SKIP LOCKED
        ) AS j
        LIMIT wanted)
    INTO places
    FROM (SELECT o.version FROM tenure.session o
          WHERE o.id = session AND o.ended_at IS NULL FOR KEY SHARE SKIP LOCKED) AS s
    WHERE wanted BETWEEN 1 AND 1024 AND NOT tenure.keeps_snapshot()
      AND current_setting('synchronous_commit') <> 'off'
      AND NOT EXISTS (SELECT FROM tenure.queue q WHERE q.name = wanted_queue
                      AND (q.paused_at IS NOT NULL OR q.max_running IS NOT NULL
                           OR q.min_interval > '0'))
      AND NOT EXISTS (SELECT FROM tenure.kind k WHERE k.paused_at IS NOT NULL)
      AND NOT EXISTS (SELECT FROM tenure.lane l WHERE l.queue = wanted_queue)
      AND NOT EXISTS (SELECT FROM tenure.claim_row r WHERE r.queue = wanted_queue);
    IF places = '{}' THEN
        RETURN;
    END IF;
    IF places IS NOT NULL THEN
        -- Behind the locks, in a statement of its own: a claim row that was written meanwhile is
        -- seen now, and may speak for any of them.
        RETURN QUERY
        UPDATE tenure.job j
        SET state = 'running', session_id = session, fence = nextval('tenure.fence'),
            -- At the type's end it counts no further: one such row would fail every claim.
            attempt = least(j.attempt, 2147483646) + 1, runs = least(j.runs, 2147483646) + 1,
            claimed_at = clock_timestamp()
        WHERE j.ctid = ANY (places)
          AND NOT EXISTS (SELECT FROM tenure.claim_row r WHERE r.queue = wanted_queue)
        RETURNING j.id, j.fence, j.kind, j.key, j.generation, j.payload, j.payload_version,
                  j.priority, j.run_at, j.attempt, j.max_attempts, j.runs, j.lane, j.batch_id,
                  j.parent_id, j.trace, j.created_at, j.claimed_at, j.queue, j.ctid,
                  NULL::timestamptz;
        GET DIAGNOSTICS taken = ROW_COUNT;
        IF taken = cardinality(places) THEN
            RETURN;
        END IF;
    END IF;
    RETURN QUERY SELECT * FROM tenure.claim(
        session, wanted_queue, wanted_kinds, wanted - taken, wanted_versions => wanted_versions);
END $$;
