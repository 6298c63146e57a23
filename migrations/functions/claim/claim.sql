-- Claims: at most as many jobs as asked for, in order, for a live session.
--
-- Locks: the session (shared, against its death), the queue if it has a limit, then jobs and
-- lanes, skipping whatever is locked. Rows of queues and lanes are only locked, never written.

-- Claims at most `wanted` jobs of a queue for a live session: those without a lane, per priority in
-- order of run time and id, then those of lanes; none that has expired, or whose kind is paused.
-- Nothing when the session is over or the queue is paused. At or below the queue's own limit, and
-- its rate, over all workers.
-- `ahead` of them are to wait for a slot. Among these is no job on its last attempt, nor one of a
-- lane: what its worker's death would cost begins at once. The line ends before such a job, and
-- nobody overtakes it.
-- `from_run_at` and `from_id` hold a position for each priority 0 … 9; null is the head. With a
-- position, lanes begin behind their own last claim, and their line at an eleventh `from_run_at`:
-- the turn of the lane that was the first in it when the session's last laned job was claimed.
-- `wanted_versions` has the newest payload version that the caller reads of each of its kinds:
-- newer ones are left to those who do. Null: it reads all. Every release reads version 1.
-- What the session's own release has held before is left to others, too.
-- Where many are to wait for a slot, the plain jobs among them are not written: a claim row speaks
-- for them (`fold_claim`). `over` are the numbers of the session's claim rows of which every run's
-- end has been written: they go. `passed` is the newest of its claim rows whose jobs are before the
-- position.
-- At most 1,024 jobs a call.
CREATE OR REPLACE FUNCTION tenure.claim(
    session bigint, wanted_queue text, wanted_kinds text[], wanted integer,
    from_run_at timestamptz[] DEFAULT NULL, from_id uuid[] DEFAULT NULL,
    ahead integer DEFAULT 0, wanted_versions smallint[] DEFAULT NULL,
    over bigint[] DEFAULT NULL, passed bigint DEFAULT 0)
RETURNS SETOF tenure.claimed_job
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    free    CONSTANT integer := wanted - ahead;
    known   CONSTANT text[] := wanted_kinds;  -- each at the place of its version
    release text;
    due     timestamptz;
    line    tenure.queue;
    holders record;
    before  bigint;
    places  tid[];
    ids     uuid[];
    made    timestamptz[];
    plain   boolean[];
    spots   bigint[];
    ends_at bigint;
    seen    bigint[];
    folded  tid[];
    number  bigint;
    more    integer;
    taken   integer := 0;
BEGIN
    -- Who holds a limit is counted behind its lock, which may have been waited for.
    PERFORM tenure.require_read_committed('a claim');
    -- A fence that a crash forgot could be given twice.
    PERFORM tenure.require_durable_commit();
    SELECT s.version INTO release FROM tenure.session s
    WHERE s.id = session AND s.ended_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'session % is over', session USING ERRCODE = 'TN002',
            HINT = 'open a new session';
    END IF;
    IF over <> '{}' THEN
        DELETE FROM tenure.claim_row c WHERE c.number = ANY (over) AND c.session_id = session;
    END IF;
    SELECT * INTO line FROM tenure.queue q WHERE q.name = wanted_queue;
    IF line.paused_at IS NOT NULL THEN
        RETURN;
    END IF;
    IF line.max_running IS NOT NULL OR line.min_interval > '0' THEN
        SELECT * INTO line FROM tenure.queue q WHERE q.name = wanted_queue FOR NO KEY UPDATE;
        IF line.paused_at IS NOT NULL THEN
            RETURN;
        END IF;
        SELECT h.n, h.next_at, r.* INTO holders FROM tenure.queue_holders h
        CROSS JOIN LATERAL tenure.still_running(h.running_ids, h.running_fences) AS r
        WHERE h.queue = wanted_queue ORDER BY h.n DESC LIMIT 1;
        wanted := least(wanted, line.max_running
            - coalesce(cardinality(holders.running_ids), 0));
        IF line.min_interval > '0' THEN
            -- What is claimed starts: none of them is to wait for a slot.
            wanted := least(wanted, free, tenure.lane_room(
                coalesce(holders.next_at, '-infinity'), line.min_interval, line.burst,
                clock_timestamp()));
        END IF;
        before := nextval('tenure.fence');
    END IF;
    -- Behind the queue's lock, which may have been waited for.
    IF EXISTS (SELECT FROM tenure.kind k WHERE k.paused_at IS NOT NULL) THEN
        wanted_kinds := tenure.open_kinds(wanted_kinds);
        IF wanted_kinds = '{}' THEN
            RETURN;
        END IF;
    END IF;
    wanted := least(wanted, 1024);  -- fences of a claim in a row
    IF wanted <= 0 THEN
        RETURN;
    END IF;

    due := clock_timestamp();
    IF from_run_at IS NULL THEN
        passed := 0;
    END IF;
    seen := array(SELECT c.number FROM tenure.claim_row c WHERE c.queue = wanted_queue);
    WITH next AS MATERIALIZED (
        SELECT j.*
        FROM generate_series(0, 9) AS p (priority)
        CROSS JOIN LATERAL (
            SELECT c.ctid AS place, c.id, c.created_at AS made,
                   c.attempt + 1::bigint >= c.max_attempts AS is_last,
                   c.runs = 0 AND c.key IS NULL AND c.batch_id IS NULL AND c.not_after IS NULL
                       AS is_plain
            FROM tenure.job c
            WHERE c.queue = wanted_queue AND c.priority = p.priority
              AND c.state IN ('scheduled', 'available', 'retryable') AND c.lane IS NULL
              AND c.run_at <= due
              AND (c.run_at, c.id) > (coalesce(from_run_at[p.priority + 1], '-infinity'),
                  coalesce(from_id[p.priority + 1], '00000000-0000-0000-0000-000000000000'))
              AND c.kind = ANY (wanted_kinds)
              AND tenure.can_read(c.payload_version, c.kind, known, wanted_versions)
              AND (c.hold_versions IS NULL OR release <> ALL (c.hold_versions))
              AND (c.not_after IS NULL OR c.not_after > due)
              -- Asked once, in this statement's snapshot, and not before a job of a batch is met.
              AND (c.batch_id IS NULL OR c.batch_id <> ALL (array(
                  SELECT r.id FROM tenure.batch r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
              -- Whom claim rows speak for. The session's own are before its position, but for
              -- those of claims whose answers it has not got.
              AND (c.runs > 0 OR (c.id, c.created_at) NOT IN (
                  SELECT f.job_id, f.made FROM tenure.folded_run f
                  WHERE f.queue = wanted_queue
                    AND (f.session_id <> session OR f.number > passed)))
            ORDER BY c.run_at, c.id LIMIT wanted
            FOR NO KEY UPDATE SKIP LOCKED
        ) AS j
        LIMIT wanted
    )
    SELECT array_agg(t.place), array_agg(t.id), array_agg(t.made), array_agg(t.is_plain),
           array_agg(t.spot), min(t.spot) FILTER (WHERE t.is_last AND t.spot > free)
    INTO places, ids, made, plain, spots, ends_at
    FROM (SELECT n.*, row_number() OVER () AS spot FROM next n ORDER BY n.place) AS t;
    IF ends_at IS NOT NULL THEN
        SELECT array_agg(t.place), array_agg(t.id), array_agg(t.made), array_agg(t.plain)
        INTO places, ids, made, plain
        FROM unnest(places, ids, made, plain, spots) AS t (place, id, made, plain, spot)
        WHERE t.spot < ends_at;
    END IF;
    IF before IS NULL AND ahead >= tenure.least_folded()
       AND cardinality(array_positions(plain, true)) >= tenure.least_folded() THEN
        SELECT f.* INTO places, folded, number FROM tenure.fold_claim(
            session, wanted_queue, places, ids, made, plain, seen, passed) AS f;
        RETURN QUERY
        SELECT j.id, number + row_number() OVER () - 1, j.kind, NULL::text, NULL::bigint,
               j.payload, j.payload_version, j.priority, j.run_at, j.attempt + 1, j.max_attempts,
               1, NULL::text, NULL::uuid, j.parent_id, j.trace, j.created_at, due, j.queue, j.ctid,
               NULL::timestamptz
        FROM tenure.job j WHERE j.ctid = ANY (folded);
        GET DIAGNOSTICS taken = ROW_COUNT;
        IF taken <> cardinality(folded) THEN
            RAISE EXCEPTION 'a claim of % jobs found %', cardinality(folded), taken
                USING ERRCODE = 'XX000';
        END IF;
    END IF;
    IF places <> '{}' THEN
        number := nextval('tenure.fence');
        -- By their places: no second look into an index. Behind the locks, in a statement of its
        -- own: a claim row that was written meanwhile is seen now.
        RETURN QUERY
        UPDATE tenure.job j
        SET state = 'running', session_id = session, fence = number + o.spot - 1,
            -- At the type's end it counts no further: one such row would fail every claim.
            attempt = least(j.attempt, 2147483646) + 1, runs = least(j.runs, 2147483646) + 1,
            claimed_at = clock_timestamp()
        FROM unnest(places) WITH ORDINALITY AS o (place, spot)
        WHERE j.ctid = o.place AND (j.runs > 0 OR (j.id, j.created_at) NOT IN (
            SELECT f.job_id, f.made FROM tenure.folded_run f WHERE f.queue = wanted_queue))
        RETURNING j.id, j.fence, j.kind, j.key, j.generation, j.payload, j.payload_version,
                  j.priority, j.run_at, j.attempt, j.max_attempts, j.runs, j.lane, j.batch_id,
                  j.parent_id, j.trace, j.created_at, j.claimed_at, j.queue, j.ctid,
                  NULL::timestamptz;
        GET DIAGNOSTICS more = ROW_COUNT;
        taken := taken + more;
    END IF;
    IF taken > wanted THEN  -- a plan that picks anew for each row would: nothing is taken then
        RAISE EXCEPTION 'a claim of % jobs took %', wanted, taken USING ERRCODE = 'XX000';
    END IF;
    wanted := least(wanted, free) - taken;
    IF wanted > 0 AND EXISTS (SELECT FROM tenure.lane l WHERE l.queue = wanted_queue) THEN
        RETURN QUERY SELECT * FROM tenure.claim_lanes(
            session, wanted_queue, wanted_kinds, wanted, due, from_run_at IS NOT NULL,
            from_run_at[11], known, wanted_versions, release);
    END IF;
    IF before IS NOT NULL THEN
        -- Whom this claim has made running: only one claim at a time is under way in this queue.
        INSERT INTO tenure.queue_holders (queue, n, running_ids, running_fences, next_at)
        SELECT wanted_queue, coalesce(holders.n, 0) + 1, holders.running_ids || array_agg(j.id),
               holders.running_fences || array_agg(j.fence), tenure.lane_paid(
                   coalesce(holders.next_at, '-infinity'), line.min_interval, line.burst,
                   count(*)::integer, clock_timestamp())
        FROM tenure.job j
        WHERE j.session_id = session AND j.fence > before AND j.queue = wanted_queue
        HAVING count(*) > 0;
        IF FOUND THEN
            DELETE FROM tenure.queue_holders h WHERE h.queue = wanted_queue AND h.n = holders.n;
        END IF;
    END IF;
END $$;
