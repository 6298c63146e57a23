-- Enqueue: jobs in, one jsonb array at a time, in the caller's transaction.
--
-- A key's jobs are decided upon in steps, each a statement of its own, because a statement does
-- not see what it waited for: lock the subjects and draw the generations under their locks;
-- retire; update what is pending; insert the rest.
-- Locks: given ids sorted, then subjects sorted by (kind, key), then the keys' pending jobs by id,
-- then new lanes.

-- What a job looks like on its way in. `ordinal` is its place in the caller's array. No pending job
-- of its key is older than `oldest`: those below the floor were retired when it was raised, and
-- whoever puts a running one back looks at floor and `committed` first. Null where the subject is
-- new: then there are none at all.
CREATE TYPE tenure.new_job AS (
    ordinal integer, turn integer, id uuid, kind text, queue text, key text, mode text,
    generation bigint, oldest bigint, payload jsonb, payload_version smallint, priority smallint,
    run_at timestamptz, max_attempts integer, not_after timestamptz, overlap boolean,
    max_wait interval, lane text, lane_max_running integer, lane_min_interval interval,
    batch_id uuid, parent_id uuid, retry_of uuid, trace text, calendar boolean,
    is_given boolean                        -- its id is the caller's, and stands for one enqueue
);

-- The job that stands for an enqueue: a new one, or one that was there.
CREATE TYPE tenure.enqueued AS (ordinal integer, id uuid, generation bigint, result text);

-- A commit that may be forgotten by a crash is no promise: `off` is raised to `on`, for this
-- transaction. Whoever turns it off again after this call has asked for it
-- (docs/decisions/durable-commit.md).
CREATE FUNCTION tenure.require_durable_commit() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
END $$;

-- A time-ordered id (UUID version 7) for callers that bring none.
CREATE FUNCTION tenure.new_id() RETURNS uuid
LANGUAGE plpgsql AS $$
BEGIN
    RETURN encode(
        set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
                PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint)
                                  FROM 3)
                FROM 1 FOR 6),
            52, 1), 53, 1), 'hex')::uuid;
END $$;

-- A time from now on; never, for one that no clock can bear.
CREATE FUNCTION tenure.moment_after(pause interval) RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$
    SELECT CASE WHEN pause > '365000 days' THEN 'infinity'
                WHEN pause < '-365000 days' THEN '-infinity'
                ELSE clock_timestamp() + pause END
$$;

-- Whether a time can be reckoned with, by every clock and calendar that comes to see it.
CREATE FUNCTION tenure.is_sane(moment timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT moment >= '0001-01-01 00:00:00+00' AND moment < '9999-12-31 00:00:00+00'
$$;

-- The time that a lane waits from one start to the next, within its bounds: a lane with an interval
-- that no clock can bear would hold up its whole queue.
CREATE FUNCTION tenure.lane_pause(pause interval) RETURNS interval
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN pause > '365 days' THEN '365 days' WHEN pause < '0' THEN '0' ELSE pause END
$$;

-- Reads the caller's array. Several jobs of one key in one call take turns, so that each of them
-- meets the one before it as if it had come alone. `id` is the caller's own; `new_id` is one that
-- the library has drawn for this enqueue and nobody else has.
CREATE FUNCTION tenure.read_jobs(jobs jsonb) RETURNS tenure.new_job[]
LANGUAGE plpgsql AS $$
BEGIN
    RETURN array(SELECT (
        j.ordinal::integer,
        CASE WHEN j.key IS NULL THEN 0
             ELSE row_number() OVER (PARTITION BY j.kind, j.key ORDER BY j.ordinal) END,
        coalesce(j.id, j.new_id, tenure.new_id()), j.kind, coalesce(j.queue, 'default'), j.key,
        CASE WHEN j.key IS NULL THEN NULL ELSE coalesce(j.mode, 'superseding') END,
        NULL, NULL,
        coalesce(j.payload, jobs -> (j.ordinal::integer - 1) -> 'payload', '{}'),  -- null is one
        coalesce(j.payload_version, 1::smallint),
        coalesce(j.priority, 5::smallint),
        coalesce(j.run_at, tenure.moment_after(coalesce(j.after, '0'::interval))),
        coalesce(j.max_attempts, 25), coalesce(j.not_after, tenure.moment_after(j.expires_in)),
        coalesce(j.overlap, true), j.max_wait, j.lane,
        j.lane_max_running, j.lane_min_interval, j.batch_id, j.parent_id, j.retry_of, j.trace,
        coalesce(j.run_at > clock_timestamp(), false), j.id IS NOT NULL)::tenure.new_job
    FROM ROWS FROM (jsonb_to_recordset(jobs) AS (
             id uuid, new_id uuid, kind text, queue text, key text, mode text, payload jsonb,
             payload_version smallint, priority smallint, run_at timestamptz, after interval,
             max_attempts integer, not_after timestamptz, expires_in interval, overlap boolean,
             max_wait interval, lane text, lane_max_running integer, lane_min_interval interval,
             batch_id uuid, parent_id uuid, retry_of uuid, trace text
         )) WITH ORDINALITY AS j (
             id, new_id, kind, queue, key, mode, payload, payload_version, priority, run_at, after,
             max_attempts, not_after, expires_in, overlap, max_wait, lane, lane_max_running,
             lane_min_interval, batch_id, parent_id, retry_of, trace, ordinal));
END $$;

CREATE FUNCTION tenure.insert_jobs(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO tenure.job (
        id, batch_id, parent_id, retry_of, generation, run_at, not_after, state, max_attempts,
        payload_version, priority, waits_for_key, calendar, kind, queue, key, lane, payload, trace)
    SELECT n.id, n.batch_id, n.parent_id, n.retry_of, n.generation, due.at, n.not_after,
           CASE WHEN blocked.yes THEN 'waiting'
                WHEN due.at > clock_timestamp() THEN 'scheduled'
                ELSE 'available' END::tenure.job_state,
           n.max_attempts, n.payload_version, n.priority, blocked.yes, n.calendar, n.kind, n.queue,
           n.key, n.lane, n.payload, n.trace
    FROM unnest(news) AS n,
         LATERAL (SELECT CASE WHEN n.mode = 'debounced'
                              THEN least(n.run_at, clock_timestamp() + n.max_wait)
                              ELSE n.run_at END) AS due (at),
         LATERAL (SELECT n.key IS NOT NULL
                     AND (n.mode IN ('coalescing', 'debounced') OR NOT n.overlap)
                     AND EXISTS (SELECT FROM tenure.job r
                                 WHERE r.kind = n.kind AND r.key = n.key AND r.state = 'running')
                 ) AS blocked (yes);
END $$;

-- Whether the transaction reads all it reads as it was at its first statement.
CREATE FUNCTION tenure.keeps_snapshot() RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT current_setting('transaction_isolation') IN ('repeatable read', 'serializable')
$$;

-- For what can be decided by what is there now alone: no lock tells of rows that an old snapshot
-- doesn't show.
CREATE FUNCTION tenure.require_read_committed(what text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF tenure.keeps_snapshot() THEN
        RAISE EXCEPTION '% runs at READ COMMITTED, the transaction at %', what,
            upper(current_setting('transaction_isolation'))
            USING ERRCODE = '25000', HINT = 'BEGIN ISOLATION LEVEL READ COMMITTED; where the '
                'default is another, ALTER ROLE … SET default_transaction_isolation';
    END IF;
END $$;

-- A transaction that keeps its snapshot would decide by rows that have changed since: it fails
-- instead (40001), by locking them. Reading again is enough for all others, and costs no lock.
--
-- The subject tells of new jobs, generations, floors and commits; but a run that ends in any other
-- way leaves it as it was, so the key's jobs are asked too: every end deletes or updates them, and
-- pays nothing for this. The subjects are locked.
CREATE FUNCTION tenure.require_current_view(kinds text[], keys text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF tenure.keeps_snapshot() THEN
        PERFORM FROM unnest(kinds, keys) AS w (kind, key) CROSS JOIN LATERAL (
            SELECT FROM tenure.subject s WHERE s.kind = w.kind AND s.key = w.key
            FOR NO KEY UPDATE) AS s;
        PERFORM tenure.require_current_jobs(array(
            SELECT j.id FROM unnest(kinds, keys) AS w (kind, key) CROSS JOIN LATERAL (
                SELECT j.id FROM tenure.job j
                WHERE j.kind = w.kind AND j.key = w.key OFFSET 0) AS j));
    END IF;
END $$;

-- The same for jobs by their ids, asked by whoever keeps a snapshot. Their subjects are locked.
CREATE FUNCTION tenure.require_current_jobs(ids uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM (SELECT DISTINCT i.id FROM unnest(ids) AS i (id) ORDER BY i.id) AS i
    CROSS JOIN LATERAL (
        SELECT FROM tenure.job j WHERE j.id = i.id FOR NO KEY UPDATE) AS l;
END $$;

-- Locks subjects in one order, and makes those that are missing in the same pass: made first and
-- locked later would be two orders. `WHERE false` is a lock and nothing else: no version is made.
-- Returns how many it made.
CREATE FUNCTION tenure.lock_or_make_subjects(kinds text[], keys text[]) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    made integer;
BEGIN
    INSERT INTO tenure.subject_lock AS l (kind, key)
    SELECT DISTINCT w.kind COLLATE "C", w.key COLLATE "C" FROM unnest(kinds, keys) AS w (kind, key)
    ORDER BY 1, 2
    ON CONFLICT (kind, key) DO UPDATE SET made_at = l.made_at WHERE false;
    GET DIAGNOSTICS made = ROW_COUNT;
    PERFORM tenure.require_current_view(kinds, keys);
    RETURN made;
END $$;

-- Draws the first generations of new subjects.
CREATE FUNCTION tenure.begin_subjects(news tenure.new_job[]) RETURNS tenure.new_job[]
LANGUAGE plpgsql AS $$
BEGIN
    news := array(SELECT (
        n.ordinal, n.turn, n.id, n.kind, n.queue, n.key, n.mode, nextval('tenure.generation'),
        NULL, n.payload, n.payload_version, n.priority, n.run_at, n.max_attempts,
        n.not_after, n.overlap, n.max_wait, n.lane, n.lane_max_running, n.lane_min_interval,
        n.batch_id, n.parent_id, n.retry_of, n.trace, n.calendar, n.is_given)::tenure.new_job
        FROM unnest(news) AS n);
    INSERT INTO tenure.subject (kind, key, issued, floor)
    SELECT n.kind, n.key, n.generation,
           CASE WHEN n.mode = 'superseding' THEN n.generation ELSE 0 END
    FROM unnest(news) AS n;
    RETURN news;
END $$;

-- Locks the subjects of one turn and draws each job's generation under its lock.
CREATE FUNCTION tenure.issue_generations(news tenure.new_job[]) RETURNS tenure.new_job[]
LANGUAGE plpgsql AS $$
DECLARE
    numbered tenure.new_job[];
BEGIN
    IF tenure.lock_or_make_subjects(array(SELECT n.kind FROM unnest(news) AS n),
                                    array(SELECT n.key FROM unnest(news) AS n))
       = cardinality(news) THEN
        RETURN tenure.begin_subjects(news);
    END IF;
    -- Its entry in the index names the row to change, whatever the statistics say. A subquery
    -- draws for each row.
    WITH was AS MATERIALIZED (
        SELECT n.*, s.issued, greatest(s.floor, s.committed + 1) AS lowest
        FROM unnest(news) AS n LEFT JOIN LATERAL tenure.subject_of(n.kind, n.key) AS s ON true
    ), drawn AS (
        INSERT INTO tenure.subject AS s (kind, key, issued, floor)
        SELECT w.kind, w.key, w.issued, CASE WHEN w.mode = 'superseding' THEN w.issued ELSE 0 END
        FROM (SELECT o.kind, o.key, o.mode, coalesce(o.issued, nextval('tenure.generation'))
              FROM was AS o) AS w (kind, key, mode, issued)
        ON CONFLICT (kind, key, issued) DO UPDATE
        SET (issued, floor, touched_at) = (
            SELECT g, CASE WHEN EXCLUDED.floor > 0 THEN g ELSE s.floor END, clock_timestamp()
            FROM (SELECT nextval('tenure.generation')) AS n (g))
        RETURNING s.kind, s.key, s.issued
    )
    SELECT array_agg((n.ordinal, n.turn, n.id, n.kind, n.queue, n.key, n.mode, d.issued,
        n.lowest, n.payload, n.payload_version, n.priority, n.run_at, n.max_attempts,
        n.not_after, n.overlap, n.max_wait, n.lane, n.lane_max_running, n.lane_min_interval,
        n.batch_id, n.parent_id, n.retry_of, n.trace, n.calendar, n.is_given)::tenure.new_job)
    INTO numbered
    FROM was AS n JOIN drawn d ON d.kind = n.kind AND d.key = n.key;
    RETURN numbered;
END $$;

-- Moves pending jobs, locked by the caller, into history: each made way for its successor.
CREATE FUNCTION tenure.move_superseded(ids uuid[], successors uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    WITH gone AS (
        DELETE FROM tenure.job j WHERE j.id = ANY (ids) RETURNING j.*
    )
    INSERT INTO tenure.job_history (
        id, batch_id, parent_id, retry_of, superseded_by, generation, run_at, created_at,
        outcome, attempt, max_attempts, runs, payload_version, priority, kind, queue, key, lane,
        payload, reason, trace)
    SELECT id, batch_id, parent_id, retry_of, s.successor, generation, run_at, created_at,
           'superseded', attempt, max_attempts, runs, payload_version, priority, kind, queue, key,
           lane, payload, 'superseded before it ran', trace
    FROM gone JOIN unnest(ids, successors) AS s (id, successor) USING (id);
END $$;

-- Retires the pending jobs of superseded keys. One that is being claimed just now is waited for,
-- and then left: it runs, and learns its fate from the subject.
CREATE FUNCTION tenure.retire_superseded(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    ids        uuid[];
    successors uuid[];
BEGIN
    SELECT array_agg(l.id), array_agg(c.successor) INTO ids, successors
    FROM (
        SELECT j.id, n.id AS successor FROM unnest(news) AS n CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.kind = n.kind AND j.key = n.key AND j.generation >= n.oldest
              AND j.state <> 'running' OFFSET 0) AS j
        WHERE n.mode = 'superseding' ORDER BY j.id) AS c
    CROSS JOIN LATERAL (
        SELECT j.id FROM tenure.job j WHERE j.id = c.id AND j.state <> 'running'
        FOR UPDATE) AS l;
    IF ids IS NOT NULL THEN
        PERFORM tenure.move_superseded(ids, successors);
    END IF;
END $$;

-- The same for one key.
CREATE FUNCTION tenure.retire_pending(
    of_kind text, of_key text, oldest bigint, successor uuid) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    ids uuid[] := array(
        SELECT l.id FROM (
            SELECT j.id FROM tenure.job j
            WHERE j.kind = of_kind AND j.key = of_key AND j.generation >= oldest
              AND j.state <> 'running' ORDER BY j.id) AS c
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j WHERE j.id = c.id AND j.state <> 'running'
            FOR UPDATE) AS l);
BEGIN
    IF ids <> '{}' THEN
        PERFORM tenure.move_superseded(ids, array_fill(successor, ARRAY[cardinality(ids)]));
    END IF;
END $$;

-- Coalescing and debounced jobs meet the pending one of their key and become its content;
-- a debounced one moves its run time too, never past the first enqueue + max_wait.
CREATE FUNCTION tenure.update_pending(news tenure.new_job[]) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH pending AS MATERIALIZED (
        SELECT l.id, n.ordinal AS place, n.generation AS newest, n.payload AS content,
               n.payload_version AS version, n.priority AS rank, n.trace AS context, n.calendar,
               n.not_after,
               CASE WHEN n.mode = 'debounced' AND n.max_wait IS NOT NULL
                    THEN least(n.run_at, l.created_at + n.max_wait) ELSE n.run_at END AS due
        FROM (
            SELECT j.id AS found, m.* FROM unnest(news) AS m CROSS JOIN LATERAL (
                SELECT j.id FROM tenure.job j
                WHERE j.kind = m.kind AND j.key = m.key AND j.generation >= m.oldest
                  AND j.state <> 'running' OFFSET 0) AS j
            WHERE m.mode IN ('coalescing', 'debounced') ORDER BY j.id) AS n
        CROSS JOIN LATERAL (
            SELECT j.id, j.created_at FROM tenure.job j
            WHERE j.id = n.found AND j.state <> 'running' FOR UPDATE) AS l
    )
    UPDATE tenure.job j
    SET payload = p.content, payload_version = p.version, generation = p.newest, run_at = p.due,
        priority = p.rank, trace = p.context, calendar = p.calendar, not_after = p.not_after,
        attempt = 0,
        hold_reason = NULL, hold_version = NULL,
        state = CASE WHEN j.state = 'waiting' THEN 'waiting'
                     WHEN p.due > clock_timestamp() THEN 'scheduled'
                     ELSE 'available' END::tenure.job_state
    FROM pending p
    WHERE j.id = p.id AND j.id = ANY (array(SELECT q.id FROM pending AS q))
    RETURNING p.place, j.id, j.generation, 'updated'::text;
END $$;

-- Makes the lanes that are missing, and calls those whose turn would come later than these jobs.
-- Whoever sends a lane to rest has its row alone; here it is shared until COMMIT, so that no lane
-- goes to rest, or is dropped, between the look at its turn and the moment the jobs can be seen.
CREATE FUNCTION tenure.make_lanes(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    lanes CONSTANT bigint := (SELECT count(DISTINCT (n.queue, n.lane)) FROM unnest(news) AS n
                              WHERE n.lane IS NOT NULL);
    shared bigint;
BEGIN
    LOOP
        WITH made AS (
            INSERT INTO tenure.lane (queue, name, max_running, min_interval)
            SELECT DISTINCT ON (n.queue, n.lane) n.queue, n.lane, coalesce(n.lane_max_running, 1),
                   coalesce(n.lane_min_interval, '0')
            FROM unnest(news) AS n
            WHERE n.lane IS NOT NULL AND NOT EXISTS (
                SELECT FROM tenure.lane l WHERE l.queue = n.queue AND l.name = n.lane)
            ORDER BY n.queue, n.lane
            ON CONFLICT DO NOTHING
            RETURNING queue, name
        )
        INSERT INTO tenure.lane_holders (queue, lane, n, turn_at)
        SELECT m.queue, m.name, 0, clock_timestamp() FROM made m;
        PERFORM FROM (
            SELECT DISTINCT n.queue, n.lane FROM unnest(news) AS n
            WHERE n.lane IS NOT NULL ORDER BY 1, 2) AS w
        CROSS JOIN LATERAL (
            SELECT FROM tenure.lane l WHERE l.queue = w.queue AND l.name = w.lane
            FOR KEY SHARE) AS l;
        GET DIAGNOSTICS shared = ROW_COUNT;
        EXIT WHEN shared = lanes;  -- one was dropped meanwhile
    END LOOP;
    -- A statement of its own: it sees what committed before the lanes were had.
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT w.queue, w.lane, w.first_at FROM (
        SELECT n.queue, n.lane, min(n.run_at) AS first_at FROM unnest(news) AS n
        WHERE n.lane IS NOT NULL GROUP BY n.queue, n.lane) AS w
    CROSS JOIN LATERAL (
        SELECT h.turn_at, h.next_at FROM tenure.lane_holders h
        WHERE h.queue = w.queue AND h.lane = w.lane ORDER BY h.n DESC LIMIT 1) AS s
    WHERE s.turn_at > greatest(w.first_at, clock_timestamp(), s.next_at, (
        SELECT max(o.until) FROM tenure.lane_hold o WHERE o.queue = w.queue AND o.lane = w.lane))
       -- A transaction that keeps its snapshot sees an old turn.
       OR current_setting('transaction_isolation') <> 'read committed';
END $$;

-- Calls the lanes of jobs that were made pending otherwise. No lock is needed: it asks nothing.
CREATE FUNCTION tenure.call_lanes(ids uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO tenure.lane_call (queue, lane, at)
    SELECT j.queue, j.lane, min(j.run_at) FROM unnest(ids) AS i (id)
    CROSS JOIN LATERAL (
        SELECT j.queue, j.lane, j.run_at FROM tenure.job j WHERE j.id = i.id OFFSET 0) AS j
    WHERE j.lane IS NOT NULL GROUP BY j.queue, j.lane;
END $$;

-- Leaves the keys one pending job each: the newest that may still run. One that has expired, or
-- whose batch was cancelled, and that was not swept yet is no answer to an enqueue, takes no new
-- content, and must not stand beside a job that does. An older one is there when its successor had
-- expired, was passed over, and has time again: the clock was set back. The subjects are locked.
CREATE FUNCTION tenure.clear_pending(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    moment timestamptz := clock_timestamp();
    extra  record;
BEGIN
    FOR extra IN
        SELECT c.* FROM (
            SELECT w.* FROM (
                SELECT j.*, first_value(j.id) OVER (
                           PARTITION BY n.ordinal ORDER BY j.is_over, j.generation DESC)
                           AS newest
                FROM unnest(news) AS n CROSS JOIN LATERAL (
                    SELECT j.id, j.generation, j.not_after, batch.whom,
                           batch.whom IS NOT NULL
                               OR coalesce(j.not_after <= moment, false) AS is_over
                    FROM tenure.job j
                    LEFT JOIN LATERAL tenure.batch_ending(j.batch_id) AS batch (whom) ON true
                    WHERE j.kind = n.kind AND j.key = n.key AND j.generation >= n.oldest
                      AND j.state <> 'running' OFFSET 0) AS j
                WHERE n.mode <> 'superseding') AS w
            WHERE w.is_over OR w.id <> w.newest ORDER BY w.id) AS c
        CROSS JOIN LATERAL (
            SELECT FROM tenure.job j WHERE j.id = c.id AND j.state <> 'running' FOR UPDATE) AS l
    LOOP
        IF extra.whom IS NOT NULL THEN
            PERFORM tenure.end_pending(extra.id, 'cancelled', extra.whom);
        ELSIF extra.is_over THEN
            PERFORM tenure.end_pending(
                extra.id, 'discarded', tenure.expiry_reason(extra.not_after, NULL));
        ELSE
            PERFORM tenure.move_superseded(ARRAY[extra.id], ARRAY[extra.newest]);
        END IF;
    END LOOP;
END $$;

-- The unfinished job that a keeping enqueue returns: not one that is on its way out, by itself or
-- with its batch, nor one that will not start any more.
CREATE FUNCTION tenure.find_kept(news tenure.new_job[]) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT ON (n.ordinal) n.ordinal, j.id, j.generation, 'kept'::text
    FROM unnest(news) AS n
    CROSS JOIN LATERAL (SELECT j.id, j.generation, j.ending_at, j.state, j.not_after, j.batch_id
                        FROM tenure.job j
                        WHERE j.kind = n.kind AND j.key = n.key AND j.generation >= n.oldest
                        OFFSET 0) AS j
    WHERE n.mode = 'keeping' AND j.ending_at IS NULL
      AND (j.state = 'running' OR j.not_after IS NULL OR j.not_after > clock_timestamp())
      AND NOT EXISTS (SELECT FROM tenure.batch_ending(j.batch_id))
    ORDER BY n.ordinal, j.generation DESC;
END $$;

-- One turn: at most one job of each key. `issued`: they have their generations.
CREATE FUNCTION tenure.enqueue_turn(news tenure.new_job[], issued boolean DEFAULT false)
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
DECLARE
    modes   text[];
    settled tenure.enqueued[] := '{}';
BEGIN
    IF NOT issued THEN
        news := tenure.issue_generations(news);
    END IF;
    modes := array(SELECT DISTINCT n.mode FROM unnest(news) AS n);
    IF 'superseding' = ANY (modes) THEN
        PERFORM tenure.retire_superseded(news);
    END IF;
    IF modes && '{coalescing, debounced, keeping}' THEN
        PERFORM tenure.clear_pending(news);
    END IF;
    IF modes && '{coalescing, debounced}' THEN
        settled := array(SELECT u FROM tenure.update_pending(news) AS u);
        PERFORM tenure.call_lanes(array(SELECT s.id FROM unnest(settled) AS s));
    END IF;
    IF 'keeping' = ANY (modes) THEN
        settled := settled || array(SELECT k FROM tenure.find_kept(news) AS k);
    END IF;
    IF settled <> '{}' THEN
        news := array(
            SELECT n FROM unnest(news) AS n
            WHERE n.ordinal NOT IN (SELECT s.ordinal FROM unnest(settled) AS s));
    END IF;
    PERFORM tenure.insert_jobs(news);
    RETURN QUERY SELECT s.* FROM unnest(settled) AS s
                 UNION ALL
                 SELECT n.ordinal, n.id, n.generation, 'enqueued' FROM unnest(news) AS n;
END $$;

-- One of several jobs of its key in a call. Jobs of one `stage` and `era` come to one job, named by
-- the ordinal of its `first`.
CREATE TYPE tenure.in_series AS (
    job tenure.new_job, stage integer, era integer, first integer, content bigint,
    folded tenure.new_job, successor uuid
);

-- What the jobs of a key in one call come to, as if each had come alone, in three stages:
--   1  keeping ones that come before all others: what is there stands for all, or the first;
--   2  from the first coalescing or debounced one on, as long as none supersedes: one job, with
--      the identity of the first and the content of the last;
--   3  an era from each superseding one on, with the content of the last that is not keeping; an
--      era's job makes way for that of the next, its `successor`.
-- `content` is the generation of the content at that point, `folded` what its first one comes to.
CREATE FUNCTION tenure.fold_series(news tenure.new_job[]) RETURNS tenure.in_series[]
LANGUAGE plpgsql AS $$
BEGIN
    RETURN array(
        SELECT (g.n, g.stage, g.era, g.first, g.content, (
            (g.n).ordinal, 1, (g.n).id, (g.n).kind, (g.n).queue, (g.n).key,
            CASE g.stage WHEN 1 THEN 'keeping' WHEN 2 THEN l.mode ELSE 'superseding' END,
            l.generation, (g.n).oldest, l.payload, l.payload_version, l.priority,
            CASE WHEN g.stage = 3 AND l.mode = 'debounced'
                 THEN least(l.run_at, clock_timestamp() + l.max_wait) ELSE l.run_at END,
            (g.n).max_attempts, l.not_after, (g.n).overlap, l.max_wait, (g.n).lane,
            (g.n).lane_max_running, (g.n).lane_min_interval, (g.n).batch_id, (g.n).parent_id,
            (g.n).retry_of, l.trace, l.calendar, (g.n).is_given)::tenure.new_job,
            g.successor)::tenure.in_series
        FROM (
            SELECT s.n, s.stage, s.era, s.successor,
                   first_value((s.n).ordinal) OVER era AS first,
                   max((s.n).generation) FILTER (WHERE (s.n).mode <> 'keeping') OVER era AS content,
                   first_value(s.n) OVER (
                       PARTITION BY (s.n).kind, (s.n).key, s.stage, s.era
                       ORDER BY (s.n).mode = 'keeping', (s.n).ordinal DESC) AS last
            FROM (
                SELECT p.n, p.era, p.successor,
                       CASE WHEN p.era > 0 THEN 3 WHEN p.takes_content THEN 2 ELSE 1 END AS stage
                FROM (
                    SELECT n, count(*) FILTER (WHERE n.mode = 'superseding') OVER so_far AS era,
                           bool_or(n.mode <> 'keeping') OVER so_far AS takes_content,
                           lead(n.id) OVER (PARTITION BY n.kind, n.key, n.mode = 'superseding'
                                            ORDER BY n.ordinal) AS successor
                    FROM unnest(news) AS n
                    WINDOW so_far AS (PARTITION BY n.kind, n.key ORDER BY n.ordinal)) AS p) AS s
            WINDOW era AS (PARTITION BY (s.n).kind, (s.n).key, s.stage, s.era
                           ORDER BY (s.n).ordinal)) AS g
        CROSS JOIN LATERAL unnest(ARRAY[CASE g.stage WHEN 1 THEN g.n ELSE g.last END]) AS l);
END $$;

-- Draws a generation for each of several jobs of a key, in their order, and writes the subjects
-- once. They are locked here, all of them.
CREATE FUNCTION tenure.issue_in_order(news tenure.new_job[]) RETURNS tenure.new_job[]
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.lock_or_make_subjects(array(SELECT n.kind FROM unnest(news) AS n),
                                         array(SELECT n.key FROM unnest(news) AS n));
    news := array(
        SELECT (w.ordinal, w.turn, w.id, w.kind, w.queue, w.key, w.mode,
                nextval('tenure.generation'), w.lowest, w.payload, w.payload_version, w.priority,
                w.run_at, w.max_attempts, w.not_after, w.overlap, w.max_wait, w.lane,
                w.lane_max_running, w.lane_min_interval, w.batch_id, w.parent_id, w.retry_of,
                w.trace, w.calendar, w.is_given)::tenure.new_job
        FROM (SELECT n.*, k.lowest FROM unnest(news) AS n
              JOIN (SELECT d.kind, d.key,
                           coalesce(greatest(s.floor, s.committed + 1), 0) AS lowest
                    FROM (SELECT DISTINCT u.kind, u.key FROM unnest(news) AS u) AS d
                    LEFT JOIN LATERAL tenure.subject_of(d.kind, d.key) AS s ON true
                    OFFSET 0) AS k ON k.kind = n.kind AND k.key = n.key
              ORDER BY n.ordinal OFFSET 0) AS w);
    -- Its entry in the index names the row to change, whatever the statistics say; `committed`
    -- only carries the new number there.
    INSERT INTO tenure.subject AS s (kind, key, issued, floor, committed)
    SELECT w.kind, w.key, coalesce(o.issued, w.newest), coalesce(w.floor, 0),
           CASE WHEN o.issued IS NULL THEN 0 ELSE w.newest END
    FROM (SELECT n.kind, n.key, max(n.generation) AS newest,
                 max(n.generation) FILTER (WHERE n.mode = 'superseding') AS floor
          FROM unnest(news) AS n GROUP BY n.kind, n.key) AS w
    LEFT JOIN LATERAL tenure.subject_of(w.kind, w.key) AS o ON true
    ON CONFLICT (kind, key, issued) DO UPDATE
    SET issued = EXCLUDED.committed, floor = greatest(s.floor, EXCLUDED.floor),
        touched_at = clock_timestamp();
    RETURN news;
END $$;

-- What each job of a series is told, as if it had come alone; `done` is what became of the first
-- ones.
CREATE FUNCTION tenure.tell_series(series tenure.in_series[], done tenure.enqueued[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
    RETURN QUERY
    SELECT j.ordinal, d.id,
           CASE WHEN s.stage = 1 THEN d.generation
                WHEN j.mode = 'keeping' THEN s.content ELSE j.generation END,
           CASE WHEN j.ordinal = s.first THEN d.result
                WHEN j.mode = 'keeping' THEN 'kept' ELSE 'updated' END
    FROM unnest(series) AS s
    JOIN unnest(done) AS d ON d.ordinal = s.first,
    LATERAL (SELECT (s.job).ordinal, (s.job).mode, (s.job).generation) AS j;
END $$;

-- Jobs without a row of their own: each was superseded by a later one of its call.
CREATE FUNCTION tenure.skip_superseded(series tenure.in_series[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO tenure.job_history (
        id, batch_id, parent_id, retry_of, superseded_by, generation, run_at, created_at, outcome,
        attempt, max_attempts, runs, payload_version, priority, kind, queue, key, lane, payload,
        reason, trace)
    SELECT f.id, f.batch_id, f.parent_id, f.retry_of, s.successor, f.generation, f.run_at,
           clock_timestamp(), 'superseded', 0, f.max_attempts, 0, f.payload_version, f.priority,
           f.kind, f.queue, f.key, f.lane, f.payload, 'superseded before it ran', f.trace
    FROM unnest(series) AS s CROSS JOIN LATERAL unnest(ARRAY[s.folded]) AS f;
END $$;

-- Several jobs of a key, as if each came when the one before had been enqueued; but the rows that
-- a later one changes again are written once (docs/decisions/bulk.md).
CREATE FUNCTION tenure.enqueue_series(news tenure.new_job[]) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
DECLARE
    series tenure.in_series[] := tenure.fold_series(tenure.issue_in_order(news));
    firsts tenure.in_series[] := array(
        SELECT s FROM unnest(series) AS s WHERE (s.job).ordinal = s.first);
    lasts  tenure.new_job[] := array(
        SELECT s.folded FROM unnest(firsts) AS s WHERE s.stage = 3 AND s.successor IS NULL);
    part   tenure.new_job[];
    done   tenure.enqueued[] := '{}';
BEGIN
    FOR at_stage IN 1..2 LOOP
        part := array(SELECT s.folded FROM unnest(firsts) AS s WHERE s.stage = at_stage);
        IF part <> '{}' THEN
            done := done || array(SELECT e FROM tenure.enqueue_turn(part, true) AS e);
        END IF;
    END LOOP;
    IF lasts <> '{}' THEN
        PERFORM tenure.retire_superseded(array(
            SELECT s.folded FROM unnest(firsts) AS s WHERE s.era = 1));
        PERFORM tenure.skip_superseded(array(
            SELECT s FROM unnest(firsts) AS s WHERE s.stage = 3 AND s.successor IS NOT NULL));
        PERFORM tenure.insert_jobs(lasts);
        done := done || array(
            SELECT (s.first, (s.job).id, (s.job).generation, 'enqueued')::tenure.enqueued
            FROM unnest(firsts) AS s WHERE s.stage = 3);
    END IF;
    -- A lane is to be called for the content that came last.
    IF EXISTS (SELECT FROM unnest(news) AS n WHERE n.lane IS NOT NULL) THEN
        PERFORM tenure.call_lanes(array(SELECT d.id FROM unnest(done) AS d));
    END IF;
    RETURN QUERY SELECT t.* FROM tenure.tell_series(series, done) AS t;
END $$;

-- Jobs some of which are the second or a later one of their key in the call. Where one is there
-- that has expired already, those of its key take turns.
CREATE FUNCTION tenure.enqueue_turns(news tenure.new_job[]) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    late   tenure.new_job[] := array(
        SELECT w.n FROM (
            SELECT n, bool_or(n.not_after <= moment) OVER (PARTITION BY n.kind, n.key) AS is_late
            FROM unnest(news) AS n) AS w
        WHERE w.is_late);
    part   tenure.new_job[];
BEGIN
    IF late <> '{}' THEN
        PERFORM tenure.lock_or_make_subjects(array(SELECT n.kind FROM unnest(news) AS n),
                                             array(SELECT n.key FROM unnest(news) AS n));
        FOR part IN
            SELECT array_agg(n) FROM unnest(late) AS n GROUP BY n.turn ORDER BY n.turn
        LOOP
            RETURN QUERY SELECT e.* FROM tenure.enqueue_turn(part) AS e;
        END LOOP;
        news := array(SELECT n FROM unnest(news) AS n
                      WHERE n.ordinal NOT IN (SELECT l.ordinal FROM unnest(late) AS l));
    END IF;
    IF news <> '{}' THEN
        RETURN QUERY SELECT e.* FROM tenure.enqueue_series(news) AS e;
    END IF;
END $$;

-- Refuses what the Swift library would refuse.
CREATE FUNCTION tenure.check_jobs(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    wrong text := (
        SELECT CASE WHEN bool_or(n.mode NOT IN (
                        'superseding', 'coalescing', 'keeping', 'debounced'))
                    THEN 'mode: use superseding, coalescing, keeping or debounced'
                    WHEN bool_or(n.priority NOT BETWEEN 0 AND 9) THEN 'priority: give 0 to 9'
                    WHEN bool_or(n.max_attempts NOT BETWEEN 1 AND 10000)
                    THEN 'max_attempts: give 1 to 10000'
                    WHEN bool_or(coalesce(octet_length(n.kind), 0) NOT BETWEEN 1 AND 128)
                    THEN 'kind: give 1 to 128 bytes'
                    WHEN bool_or(octet_length(n.queue) NOT BETWEEN 1 AND 128)
                    THEN 'queue: give 1 to 128 bytes'
                    WHEN bool_or(octet_length(n.key) NOT BETWEEN 1 AND 1024)
                    THEN 'key: give 1 to 1024 bytes'
                    WHEN bool_or(octet_length(n.lane) NOT BETWEEN 1 AND 1024)
                    THEN 'lane: give 1 to 1024 bytes'
                    WHEN bool_or(n.lane_max_running NOT BETWEEN 1 AND 1000000)
                    THEN 'lane_max_running: give 1 to 1000000'
                    WHEN bool_or(octet_length(n.trace) NOT BETWEEN 1 AND 4096)
                    THEN 'trace: give 1 to 4096 bytes'
                    WHEN bool_or(NOT tenure.is_sane(n.run_at))
                    THEN 'run_at or after: give a time in the years 1 to 9999, or at most '
                         '365000 days'
                    WHEN bool_or(NOT tenure.is_sane(n.not_after))
                    THEN 'not_after or expires_in: give a time in the years 1 to 9999, or at '
                         'most 365000 days'
                    WHEN bool_or(n.max_wait NOT BETWEEN '0' AND '365000 days')
                    THEN 'max_wait: give 0 to 365000 days'
                    WHEN bool_or(n.lane_min_interval <> tenure.lane_pause(n.lane_min_interval))
                    THEN 'lane_min_interval: give 0 to 365 days'
                    -- Later than now: with a date that has passed, the producer is only late.
                    WHEN bool_or(n.run_at > clock_timestamp() AND n.not_after <= CASE n.mode
                        WHEN 'debounced' THEN least(n.run_at, clock_timestamp() + n.max_wait)
                        ELSE n.run_at END)
                    THEN 'not_after or expires_in: give a time after the run time' END
        FROM unnest(news) AS n);
BEGIN
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'a job has a wrong %', split_part(wrong, ':', 1) USING
            ERRCODE = 'TN003', HINT = trim(split_part(wrong, ':', 2));
    END IF;
END $$;

-- So many bytes of JSON text are harmless, whatever they say.
CREATE FUNCTION tenure.harmless_json() RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT 128 $$;

-- Refuses JSON that the Swift library would refuse: longer than 1 MiB, nested deeper than 64
-- levels, or with a number that PostgreSQL writes out longer than any that the library lets in (64
-- digits at most, up to 1e308). `1e131071` has 131,072 digits in jsonb.
CREATE FUNCTION tenure.check_json(field text, value jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    longest CONSTANT integer := 374;
    json    CONSTANT text := value::text;
    size    CONSTANT integer := octet_length(json);
    bytes   bytea;
BEGIN
    IF size <= tenure.harmless_json() THEN
        RETURN;
    ELSIF size > 1048576 THEN
        RAISE EXCEPTION 'the % has % bytes, at most 1048576 are allowed', field, size
            USING ERRCODE = 'TN003', HINT = 'store it elsewhere and enqueue a reference';
    ELSIF jsonb_path_exists(value, 'strict $.**{65}') THEN
        RAISE EXCEPTION 'the % is nested deeper than 64 levels', field
            USING ERRCODE = 'TN003', HINT = 'flatten it';
    ELSIF size > longest THEN
        -- So long a number has digits at two bytes in a row of these: few values are read one by
        -- one.
        bytes := convert_to(json, 'UTF8');
        IF EXISTS (SELECT FROM generate_series(128, length(bytes) - 1, 128) AS b (at)
                   WHERE get_byte(bytes, b.at) BETWEEN 46 AND 57
                     AND get_byte(bytes, b.at - 128) BETWEEN 45 AND 57)
           AND EXISTS (SELECT FROM jsonb_path_query(
                           value, 'strict $.** ? (@.type() == "number")') AS v (number)
                       WHERE length(v.number::text) > longest) THEN
            RAISE EXCEPTION 'the % has a number of more than 64 digits or beyond 1e308', field
                USING ERRCODE = 'TN003', HINT = 'send it as a string';
        END IF;
    END IF;
END $$;

-- Enqueues jobs that have been read; a row for each, in any order, with the job that stands for it
-- now: `enqueued`, `updated` (the pending one took its content) or `kept` (the unfinished one
-- stays, or the id was given before). `entered`: the transaction may add to their batches, as
-- tenure.enter_batches says. `taken`: it has their ids, but for those of these jobs.
CREATE FUNCTION tenure.enqueue_new(
    news tenure.new_job[], entered boolean DEFAULT false, taken tenure.enqueued[] DEFAULT NULL)
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    part     tenure.new_job[];
    at_turn  integer;
    is_long  boolean;
    is_given boolean;
    in_runs  boolean;
    in_lanes boolean;
    in_turns boolean;
BEGIN
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.check_jobs(news);
    -- What most jobs don't have is asked for once.
    SELECT bool_or(octet_length(n.payload::text) > tenure.harmless_json()), bool_or(n.is_given),
           bool_or(n.batch_id IS NOT NULL), bool_or(n.lane IS NOT NULL), max(n.turn) > 1
    INTO is_long, is_given, in_runs, in_lanes, in_turns FROM unnest(news) AS n;
    IF is_long THEN
        PERFORM tenure.check_json('payload', n.payload) FROM unnest(news) AS n;
    END IF;
    IF is_given THEN
        RETURN QUERY SELECT e.* FROM tenure.enqueue_given(news, entered, taken) AS e;
        RETURN;
    END IF;
    IF in_runs AND NOT entered THEN
        PERFORM tenure.enter_batches(
            array(SELECT DISTINCT n.batch_id FROM unnest(news) AS n WHERE n.batch_id IS NOT NULL));
    END IF;
    -- Jobs without a key come first, as turn 0: they wait for nobody. Those with one come all at
    -- once: later locks of subjects would be out of order.
    FOR at_turn, part IN
        SELECT w.at_turn, array_agg(n) FROM unnest(news) AS n
        CROSS JOIN LATERAL (SELECT least(n.turn, 1)) AS w (at_turn)
        GROUP BY w.at_turn ORDER BY w.at_turn
    LOOP
        IF at_turn = 0 THEN
            PERFORM tenure.insert_jobs(part);
            RETURN QUERY SELECT n.ordinal, n.id, n.generation, 'enqueued' FROM unnest(part) AS n;
        ELSIF in_turns THEN
            RETURN QUERY SELECT e.* FROM tenure.enqueue_turns(part) AS e;
        ELSE
            RETURN QUERY SELECT e.* FROM tenure.enqueue_turn(part) AS e;
        END IF;
    END LOOP;
    -- Last and all at once: a new lane's row is a lock too, and has its place in the order.
    IF in_lanes THEN
        PERFORM tenure.make_lanes(news);
    END IF;
END $$;

-- Enqueues jobs some of which have ids that their callers gave.
CREATE FUNCTION tenure.enqueue_given(
    news tenure.new_job[], entered boolean, taken tenure.enqueued[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
DECLARE
    given   tenure.new_job[] := array(SELECT n FROM unnest(news) AS n WHERE n.is_given);
    rest    tenure.new_job[];
    answers tenure.enqueued[];
BEGIN
    IF NOT entered THEN
        -- What was enqueued before is no reason to refuse it now that its batch is over.
        PERFORM tenure.enter_batches(array_agg(DISTINCT n.batch_id)) FROM unnest(news) AS n
        WHERE n.batch_id IS NOT NULL AND NOT (n.is_given AND EXISTS (
            SELECT FROM tenure.given_id g WHERE g.id = n.id))
        HAVING count(*) > 0;
    END IF;
    IF taken IS NULL THEN
        taken := array(SELECT t FROM tenure.take_ids(
            array(SELECT g.ordinal FROM unnest(given) AS g),
            array(SELECT g.id FROM unnest(given) AS g)) AS t);
    END IF;
    rest := array(SELECT jsonb_populate_record(n, '{"is_given": false}') FROM unnest(news) AS n
                  WHERE n.ordinal NOT IN (SELECT t.ordinal FROM unnest(taken) AS t));
    answers := array(SELECT e FROM tenure.enqueue_new(rest, true) AS e);
    PERFORM tenure.note_given(given, answers);
    RETURN QUERY SELECT t.* FROM unnest(taken) AS t UNION ALL SELECT a.* FROM unnest(answers) AS a;
END $$;

-- Enqueues an array of jobs, for callers with one jsonb.
CREATE FUNCTION tenure.enqueue_jobs(jobs jsonb) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT e.* FROM tenure.enqueue_new(tenure.read_jobs(jobs)) AS e;
END $$;

-- One superseding job without a lane or an expiry: the steps of `enqueue_new` for it, without
-- arrays, at a third of their cost. Returns its generation; null, and nothing is done, where it
-- asks for a kept row and a completed job of the queue leaves none.
CREATE FUNCTION tenure.supersede(
    new_id uuid, new_kind text, new_queue text, payload jsonb, payload_version smallint,
    priority smallint, max_attempts integer, due timestamptz, after interval, batch_id uuid,
    parent_id uuid, trace text, if_kept boolean, new_key text, overlap boolean)
RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    was    tenure.subject;
    number bigint;
BEGIN
    IF (octet_length(new_kind) BETWEEN 1 AND 128 AND octet_length(new_queue) BETWEEN 1 AND 128
        AND octet_length(new_key) BETWEEN 1 AND 1024
        AND supersede.priority BETWEEN 0 AND 9 AND supersede.max_attempts BETWEEN 1 AND 10000
        AND tenure.is_sane(coalesce(due, tenure.moment_after(after)))
        AND coalesce(octet_length(supersede.trace), 1) BETWEEN 1 AND 4096) IS NOT TRUE THEN
        PERFORM tenure.refuse_job();
    END IF;
    IF if_kept AND EXISTS (SELECT FROM tenure.queue q
                           WHERE q.name = new_queue AND NOT q.keep_completed) THEN
        RETURN NULL;
    END IF;
    PERFORM tenure.require_durable_commit();
    IF octet_length(supersede.payload::text) > tenure.harmless_json() THEN
        PERFORM tenure.check_json('payload', supersede.payload);
    END IF;
    IF supersede.batch_id IS NOT NULL THEN
        PERFORM tenure.enter_batches(ARRAY[supersede.batch_id]);
    END IF;
    PERFORM tenure.lock_or_make_subjects(ARRAY[new_kind], ARRAY[new_key]);
    SELECT * INTO was FROM tenure.subject_of(new_kind, new_key);
    number := nextval('tenure.generation');
    IF was.issued IS NULL THEN
        INSERT INTO tenure.subject (kind, key, issued, floor)
        VALUES (new_kind, new_key, number, number);
    ELSE
        UPDATE tenure.subject s SET issued = number, floor = number, touched_at = clock_timestamp()
        WHERE s.kind = new_kind AND s.key = new_key AND s.issued = was.issued;
        PERFORM tenure.retire_pending(
            new_kind, new_key, greatest(was.floor, was.committed + 1), new_id);
    END IF;
    INSERT INTO tenure.job (
        id, batch_id, parent_id, generation, run_at, state, max_attempts, payload_version, priority,
        waits_for_key, calendar, kind, queue, key, payload, trace)
    SELECT new_id, supersede.batch_id, supersede.parent_id, number, runs.at,
           CASE WHEN blocked.yes THEN 'waiting'
                WHEN runs.at > clock_timestamp() THEN 'scheduled'
                ELSE 'available' END::tenure.job_state,
           supersede.max_attempts, supersede.payload_version, supersede.priority, blocked.yes,
           coalesce(due > clock_timestamp(), false), new_kind, new_queue, new_key,
           supersede.payload, supersede.trace
    FROM (SELECT coalesce(due, clock_timestamp() + after)) AS runs (at),
         (SELECT NOT overlap AND EXISTS (
              SELECT FROM tenure.job r
              WHERE r.kind = new_kind AND r.key = new_key AND r.state = 'running')
         ) AS blocked (yes);
    RETURN number;
END $$;

-- For other languages: one job, by name. Raises TN003 where the Swift library would refuse.
-- With `notify` the commit itself wakes the workers: commits that do so go one after the other, and
-- where PostgreSQL's queue of notifications is full, the commit fails. It is the caller's choice.
CREATE FUNCTION tenure.enqueue(
    kind text, payload jsonb DEFAULT '{}', queue text DEFAULT 'default', key text DEFAULT NULL,
    mode text DEFAULT NULL, priority integer DEFAULT 5, run_at timestamptz DEFAULT NULL,
    after interval DEFAULT NULL, max_attempts integer DEFAULT 25, overlap boolean DEFAULT true,
    max_wait interval DEFAULT NULL, lane text DEFAULT NULL, id uuid DEFAULT NULL,
    notify boolean DEFAULT false, trace text DEFAULT NULL, not_after timestamptz DEFAULT NULL,
    expires_in interval DEFAULT NULL)
RETURNS TABLE (job_id uuid, job_generation bigint, result text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    IF enqueue.mode NOT IN ('superseding', 'coalescing', 'keeping', 'debounced') THEN
        RAISE EXCEPTION 'mode "%" is unknown', enqueue.mode USING ERRCODE = 'TN003',
            HINT = 'use superseding, coalescing, keeping or debounced';
    END IF;
    IF enqueue.notify THEN
        PERFORM pg_notify('tenure_available', enqueue.queue);
    END IF;
    RETURN QUERY SELECT e.id, e.generation, e.result FROM tenure.enqueue_jobs(
        jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
            'id', enqueue.id, 'kind', enqueue.kind, 'queue', enqueue.queue, 'key', enqueue.key,
            'mode', enqueue.mode, 'priority', enqueue.priority, 'run_at', enqueue.run_at,
            'after', enqueue.after, 'max_attempts', enqueue.max_attempts,
            'not_after', enqueue.not_after, 'expires_in', enqueue.expires_in,
            'overlap', enqueue.overlap, 'max_wait', enqueue.max_wait, 'lane', enqueue.lane,
            'trace', enqueue.trace))
        || jsonb_build_object('payload', coalesce(enqueue.payload, '{}')))) AS e;
END $$;
