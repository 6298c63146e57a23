-- What operators and the coordinator do: cancel, retry, release; schedules and the leader.
-- Locks: as everywhere, a keyed job's subject before the job.

CREATE TABLE tenure.leader (
    name    text COLLATE "C" PRIMARY KEY,
    session bigint NOT NULL,
    term    bigint NOT NULL DEFAULT 1,
    since   timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

CREATE TABLE tenure.schedule (
    name       text COLLATE "C" PRIMARY KEY,
    every      interval NOT NULL CHECK (every > '0'),
    next_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    paused_at  timestamptz,
    job        jsonb NOT NULL,        -- as enqueue_jobs takes it
    fired      bigint NOT NULL DEFAULT 0,
    fired_at   timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Cancels a job: a pending one is over, a running one learns it and keeps its place until it has
-- let go. Answers cancelled, cancelling, finished or unknown.
CREATE FUNCTION tenure.cancel_job(job uuid, by_whom text) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    found_state tenure.job_state;
BEGIN
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.lock_subjects(ARRAY[job], NULL, true);
    SELECT j.state INTO found_state FROM tenure.job j WHERE j.id = job FOR UPDATE;
    IF NOT FOUND THEN
        RETURN CASE WHEN EXISTS (SELECT FROM tenure.job_history h WHERE h.id = job)
                    THEN 'finished' ELSE 'unknown' END;
    END IF;
    IF found_state = 'running' THEN
        UPDATE tenure.job j
        SET ending_at = coalesce(j.ending_at, clock_timestamp()),
            ending_by = coalesce(j.ending_by, by_whom)
        WHERE j.id = job;
        -- Seldom, so the commit itself may tell the worker.
        PERFORM pg_notify('tenure_endings', 'job:' || job);
        RETURN 'cancelling';
    END IF;
    WITH gone AS (DELETE FROM tenure.job j WHERE j.id = job RETURNING j.*)
    INSERT INTO tenure.job_history (
        id, run_id, parent_id, retry_of, generation, run_at, created_at, outcome, attempt,
        max_attempts, runs, payload_version, priority, kind, queue, key, lane, payload, reason,
        trace)
    SELECT g.id, g.run_id, g.parent_id, g.retry_of, g.generation, g.run_at, g.created_at,
           'cancelled', g.attempt, g.max_attempts, g.runs, g.payload_version, g.priority, g.kind,
           g.queue, g.key, g.lane, g.payload, by_whom, g.trace
    FROM gone g;
    RETURN 'cancelled';
END $$;

-- Runs a job again: a pending one now; a finished one as a new job that names the old.
-- A keyed one gives way to an unfinished job of its key.
CREATE FUNCTION tenure.retry_job(job uuid, new_id uuid)
RETURNS TABLE (id uuid, generation bigint, result text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    past tenure.job_history;
BEGIN
    PERFORM tenure.lock_subjects(ARRAY[job], NULL, true);
    UPDATE tenure.job j
    SET state = 'available', run_at = clock_timestamp(), calendar = false, hold_reason = NULL,
        hold_version = NULL
    WHERE j.id = job AND j.state IN ('scheduled', 'available', 'retryable', 'held');
    IF FOUND THEN
        PERFORM tenure.call_lanes(ARRAY[job]);
        RETURN QUERY SELECT j.id, j.generation, 'updated'::text FROM tenure.job j WHERE j.id = job;
        RETURN;
    END IF;
    IF EXISTS (SELECT FROM tenure.job j WHERE j.id = job) THEN
        RETURN QUERY SELECT j.id, j.generation, 'kept'::text FROM tenure.job j WHERE j.id = job;
        RETURN;
    END IF;
    SELECT * INTO past FROM tenure.job_history h WHERE h.id = job LIMIT 1;
    IF FOUND THEN
        RETURN QUERY SELECT e.id, e.generation, e.result FROM tenure.enqueue_jobs(
            jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
                'id', new_id, 'kind', past.kind, 'queue', past.queue, 'key', past.key,
                'mode', 'keeping', 'payload_version', past.payload_version,
                'priority', past.priority, 'max_attempts', past.max_attempts, 'lane', past.lane,
                'run_id', past.run_id, 'retry_of', past.id, 'trace', past.trace))
            || jsonb_build_object('payload', past.payload))) AS e;
    END IF;
END $$;

-- Lets jobs run again that an older release could not: `release` is the caller's.
CREATE FUNCTION tenure.release_held(wanted_kinds text[], release text) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    released uuid[];
BEGIN
    WITH stuck AS MATERIALIZED (
        SELECT j.id FROM tenure.job j
        WHERE j.state = 'held' AND j.kind = ANY (wanted_kinds)
          AND j.hold_version IS DISTINCT FROM release
        ORDER BY j.id FOR UPDATE SKIP LOCKED
    ), freed AS (
        UPDATE tenure.job j
        SET state = 'available', run_at = clock_timestamp(), calendar = false, hold_reason = NULL,
            hold_version = NULL
        FROM stuck WHERE j.id = stuck.id
        RETURNING j.id
    )
    SELECT array_agg(f.id) INTO released FROM freed f;
    PERFORM tenure.call_lanes(released) WHERE released IS NOT NULL;
    RETURN coalesce(cardinality(released), 0);
END $$;

-- Takes the lead if nobody has it, or if its holder's session is over; keeps it if it is ours.
-- Returns the term, or null when another session leads.
CREATE FUNCTION tenure.lead(role text, candidate bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    held tenure.leader;
BEGIN
    PERFORM FROM tenure.session s WHERE s.id = candidate AND s.ended_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'session % is over', candidate USING ERRCODE = 'TN002',
            HINT = 'open a new session';
    END IF;
    INSERT INTO tenure.leader (name, session) VALUES (role, candidate) ON CONFLICT DO NOTHING;
    SELECT * INTO held FROM tenure.leader l WHERE l.name = role FOR NO KEY UPDATE;
    IF held.session = candidate THEN
        RETURN held.term;
    END IF;
    IF EXISTS (SELECT FROM tenure.session s WHERE s.id = held.session AND s.ended_at IS NULL) THEN
        RETURN NULL;
    END IF;
    UPDATE tenure.leader l SET session = candidate, term = l.term + 1, since = clock_timestamp()
    WHERE l.name = role;
    RETURN held.term + 1;
END $$;

-- Enqueues what is due, each schedule once per tick however many coordinators call this, and all
-- in one enqueue, whose keys are locked sorted as everywhere. A schedule that was away for several
-- ticks fires once and goes on from now.
CREATE FUNCTION tenure.fire_schedules(at_most integer)
RETURNS TABLE (schedule text, job_id uuid, result text, queue text)
LANGUAGE plpgsql AS $$
DECLARE
    due tenure.schedule[];
BEGIN
    due := array(
        SELECT s FROM tenure.schedule s
        WHERE s.paused_at IS NULL AND (s.next_at <= clock_timestamp()
            -- Written before the clock was set back.
            OR s.next_at > clock_timestamp() + s.every + '1 s')
        ORDER BY s.name LIMIT at_most FOR UPDATE SKIP LOCKED);
    IF due = '{}' THEN
        RETURN;
    END IF;
    UPDATE tenure.schedule s
    SET next_at = CASE WHEN s.next_at <= clock_timestamp()
                        AND s.next_at + s.every > clock_timestamp() THEN s.next_at + s.every
                       ELSE clock_timestamp() + s.every END,
        fired = s.fired + 1, fired_at = clock_timestamp()
    FROM unnest(due) AS d WHERE s.name = d.name;
    RETURN QUERY
        SELECT d.name, e.id, e.result, coalesce(d.job ->> 'queue', 'default')
        FROM tenure.enqueue_jobs((SELECT jsonb_agg(u.job ORDER BY u.place)
             FROM unnest(due) WITH ORDINALITY AS u (name, every, next_at, paused_at, job, fired,
                                                    fired_at, created_at, place))) AS e
        JOIN unnest(due) WITH ORDINALITY AS d (name, every, next_at, paused_at, job, fired,
                                               fired_at, created_at, place) ON d.place = e.ordinal;
END $$;

-- Sets the most jobs of a queue that may run at once, over all workers; null takes the limit
-- away. Exact from its commit on: it waits until no claim is under way, and counts what runs. It
-- gives up (55P03) rather than stand in the way of finishes for long; try again then.
CREATE FUNCTION tenure.limit_queue(queue_name text, most integer) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '2s'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    LOCK TABLE tenure.queue IN ACCESS EXCLUSIVE MODE;
    INSERT INTO tenure.queue (name, max_running) VALUES (queue_name, most)
    ON CONFLICT (name) DO UPDATE SET max_running = EXCLUDED.max_running;
    INSERT INTO tenure.queue_holders (queue, n, running_ids, running_fences)
    SELECT queue_name, 1 + coalesce((SELECT max(h.n) FROM tenure.queue_holders h
                                     WHERE h.queue = queue_name), 0),
           coalesce(array_agg(j.id), '{}'), coalesce(array_agg(j.fence), '{}')
    FROM tenure.job j WHERE j.session_id IS NOT NULL AND j.queue = queue_name;
    DELETE FROM tenure.queue_holders h
    WHERE h.queue = queue_name AND h.n < (SELECT max(n.n) FROM tenure.queue_holders n
                                          WHERE n.queue = queue_name);
END $$;

-- Forgets subjects that nobody has touched for a while and that no unfinished job has. They are
-- looked at again under their locks, in a statement of its own.
CREATE FUNCTION tenure.drop_idle_subjects(idle interval, at_most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    quiet   tenure.subject_lock[];
    dropped integer;
BEGIN
    quiet := array(
        SELECT l.subject FROM (
            SELECT s.kind, s.key FROM tenure.subject s
            WHERE s.touched_at < clock_timestamp() - idle
              AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.kind = s.kind AND j.key = s.key)
            ORDER BY s.kind, s.key OFFSET 0) AS s
        CROSS JOIN LATERAL (
            SELECT l AS subject FROM tenure.subject_lock l
            WHERE l.kind = s.kind AND l.key = s.key FOR UPDATE SKIP LOCKED) AS l
        LIMIT at_most);
    WITH idlers AS (
        DELETE FROM tenure.subject s USING unnest(quiet) AS q
        WHERE s.kind = q.kind AND s.key = q.key AND s.touched_at < clock_timestamp() - idle
          AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.kind = s.kind AND j.key = s.key)
        RETURNING s.kind, s.key
    )
    DELETE FROM tenure.subject_lock l USING idlers i WHERE l.kind = i.kind AND l.key = i.key;
    GET DIAGNOSTICS dropped = ROW_COUNT;
    RETURN dropped;
END $$;
