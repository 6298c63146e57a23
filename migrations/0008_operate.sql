-- What operators and the coordinator do: cancel, retry, discard, delete, release; schedules and
-- the leader.
-- Locks: as everywhere, a keyed job's subject before the job, and a finished job that is run again
-- before everything else.

CREATE TABLE tenure.leader (
    name    text COLLATE "C" PRIMARY KEY,
    session bigint NOT NULL,
    term    bigint NOT NULL DEFAULT 1,
    since   timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

-- A job enqueued at ticks: at an interval, or at the times of a cron expression on the wall clock
-- of a time zone.
CREATE TABLE tenure.schedule (
    name       text COLLATE "C" PRIMARY KEY,
    every      interval CHECK (every > '0'),
    cron       text,
    zone       text,
    next_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    paused_at  timestamptz,
    paused_by  text,
    job        jsonb NOT NULL,        -- as enqueue_jobs takes it
    fired      bigint NOT NULL DEFAULT 0,
    fired_at   timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK ((every IS NULL) = (cron IS NOT NULL) AND (cron IS NULL) = (zone IS NULL))
);

-- Moves a pending job into history. It is locked, and so is its subject.
CREATE FUNCTION tenure.end_pending(job uuid, how tenure.job_outcome, why text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH gone AS (DELETE FROM tenure.job j WHERE j.id = job RETURNING j.*)
    INSERT INTO tenure.job_history (
        id, batch_id, parent_id, retry_of, generation, run_at, created_at, outcome, attempt,
        max_attempts, runs, payload_version, priority, kind, queue, key, lane, payload, reason,
        trace)
    SELECT g.id, g.batch_id, g.parent_id, g.retry_of, g.generation, g.run_at, g.created_at,
           how, g.attempt, g.max_attempts, g.runs, g.payload_version, g.priority, g.kind,
           g.queue, g.key, g.lane, g.payload, why, g.trace
    FROM gone g;
END $$;

-- Cancels a job: a pending one is over, a running one learns it and keeps its place until it has
-- let go. Answers cancelled, cancelling, finished or unknown. The worker of a running one is to be
-- told afterwards: a notification is a transaction of its own.
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
        RETURN 'cancelling';
    END IF;
    PERFORM tenure.end_pending(job, 'cancelled', by_whom);
    RETURN 'cancelled';
END $$;

-- A finished job, locked against being run again by two at once. Nobody waits for it with a subject
-- locked: where its last run ended while that was waited for, it gives up (55P03) if it has to.
CREATE FUNCTION tenure.lock_past(job uuid) RETURNS tenure.job_history
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
    past tenure.job_history;
BEGIN
    SELECT * INTO past FROM tenure.job_history h WHERE h.id = job LIMIT 1 FOR NO KEY UPDATE;
    RETURN past;
END $$;

-- Runs a job again: a pending one now, however late; a finished one as a new job that names the
-- old, and is named by it. A keyed one gives way to an unfinished job of its key. Where its batch
-- is over, it runs alone. A finished one that has been run again stays as it is, and the answer is
-- its repetition; unless it is to be run once more (`again`).
CREATE FUNCTION tenure.retry_job(job uuid, new_id uuid, again boolean DEFAULT false)
RETURNS TABLE (id uuid, generation bigint, result text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    past tenure.job_history;
    made tenure.enqueued;
BEGIN
    PERFORM tenure.lock_subjects(ARRAY[job], NULL, true);
    UPDATE tenure.job j
    SET state = 'available', run_at = clock_timestamp(), calendar = false, not_after = NULL,
        hold_reason = NULL, hold_version = NULL
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
    past := tenure.lock_past(job);
    IF past.id IS NULL THEN
        RETURN;
    ELSIF past.retried_as IS NOT NULL AND NOT again THEN
        made.id := past.retried_as;
        made.result := 'kept';
    ELSE
        SELECT e.* INTO made FROM tenure.enqueue_jobs(
            jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
                'new_id', new_id, 'kind', past.kind, 'queue', past.queue, 'key', past.key,
                'mode', 'keeping', 'payload_version', past.payload_version,
                'priority', past.priority, 'max_attempts', past.max_attempts, 'lane', past.lane,
                'batch_id', (SELECT r.id FROM tenure.batch r
                           WHERE r.id = past.batch_id AND r.ended_at IS NULL
                             AND r.ending_at IS NULL),
                'retry_of', past.id, 'trace', past.trace))
            || jsonb_build_object('payload', past.payload))) AS e;
        IF made.result <> 'kept' THEN
            UPDATE tenure.job_history h SET retried_as = made.id
            WHERE h.id = job AND h.outcome = past.outcome AND h.finished_at = past.finished_at;
        END IF;
    END IF;
    RETURN QUERY SELECT made.id, made.generation, made.result;
END $$;

-- Gives a job up: a pending one is discarded, with who did it as its reason. A running one stays.
-- Answers discarded, running, finished or unknown.
CREATE FUNCTION tenure.discard_job(job uuid, by_whom text) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    found_state tenure.job_state;
BEGIN
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.lock_subjects(ARRAY[job], NULL, true);
    SELECT j.state INTO found_state FROM tenure.job j WHERE j.id = job FOR UPDATE;
    IF found_state = 'running' THEN
        RETURN 'running';
    ELSIF found_state IS NOT NULL THEN
        PERFORM tenure.end_pending(job, 'discarded', 'discarded by ' || by_whom);
        RETURN 'discarded';
    END IF;
    RETURN CASE WHEN EXISTS (SELECT FROM tenure.job_history h WHERE h.id = job)
                THEN 'finished' ELSE 'unknown' END;
END $$;

-- Takes a finished job out of history, with its errors. An unfinished one stays: it ends first.
-- Answers deleted, unfinished or unknown.
CREATE FUNCTION tenure.delete_job(job uuid) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM tenure.require_durable_commit();
    IF EXISTS (SELECT FROM tenure.job j WHERE j.id = job) THEN
        RETURN 'unfinished';
    END IF;
    DELETE FROM tenure.job_history h WHERE h.id = job;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    DELETE FROM tenure.given_id g WHERE g.id = job AND g.job_id = job;
    DELETE FROM tenure.attempt_error e WHERE e.job_id = job;
    RETURN 'deleted';
END $$;

-- Runs a pending or held job now, however late. It is locked. Answers retried or kept.
CREATE FUNCTION tenure.run_now(job uuid) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tenure.job j
    SET state = 'available', run_at = clock_timestamp(), calendar = false, not_after = NULL,
        hold_reason = NULL, hold_version = NULL
    WHERE j.id = job AND j.state IN ('scheduled', 'available', 'retryable', 'held');
    IF NOT FOUND THEN
        RETURN 'kept';
    END IF;
    PERFORM tenure.call_lanes(ARRAY[job]);
    RETURN 'retried';
END $$;

-- One verb for many jobs: cancel, discard, delete, retry (of unfinished ones). In the one lock
-- order, and waiting for nobody: what is locked just then, or whose key is, is called busy.
CREATE FUNCTION tenure.operate_jobs(verb text, ids uuid[], by_whom text)
RETURNS TABLE (id uuid, became text)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    busy uuid[] := tenure.lock_subjects(ids, NULL, false);
BEGIN
    FOR id IN SELECT u.id FROM unnest(ids) AS u (id) ORDER BY u.id LOOP
        became := 'busy';
        -- Who runs a finished job again has its row, and may wait for a subject that is held here.
        IF verb = 'delete' AND (
            SELECT count(*) FROM tenure.job_history h WHERE h.id = operate_jobs.id) > (
            SELECT count(*) FROM (
                SELECT FROM tenure.job_history h WHERE h.id = operate_jobs.id
                FOR UPDATE SKIP LOCKED) AS free) THEN
            RETURN NEXT;
            CONTINUE;
        END IF;
        IF id <> ALL (busy) THEN
            PERFORM FROM tenure.job j WHERE j.id = operate_jobs.id FOR UPDATE SKIP LOCKED;
            IF FOUND OR NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = operate_jobs.id) THEN
                became := CASE verb WHEN 'cancel' THEN tenure.cancel_job(operate_jobs.id, by_whom)
                                    WHEN 'discard' THEN tenure.discard_job(
                                        operate_jobs.id, by_whom)
                                    WHEN 'delete' THEN tenure.delete_job(operate_jobs.id)
                                    WHEN 'retry' THEN tenure.run_now(operate_jobs.id) END;
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;
END $$;

-- Runs finished jobs again, each as a new job that names the old; all in one enqueue, whose keys
-- are locked sorted as everywhere. Where its batch is over, a job runs alone. Those that have been
-- run again stay as they are (`kept`). Where one can't be enqueued each goes by itself: `refused`
-- and `busy` ones hold up no other.
CREATE FUNCTION tenure.repeat_jobs(ids uuid[])
RETURNS TABLE (id uuid, became text, new_id uuid)
LANGUAGE plpgsql SET lock_timeout = '2s'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    past tenure.job_history[] := array(
        SELECT l.past FROM (SELECT DISTINCT u.id FROM unnest(ids) AS u (id) ORDER BY u.id) AS u
        CROSS JOIN LATERAL (
            SELECT h AS past FROM tenure.job_history h WHERE h.id = u.id LIMIT 1
            FOR NO KEY UPDATE) AS l);
    jobs jsonb[] := array(
        SELECT jsonb_strip_nulls(jsonb_build_object(
            'kind', h.kind, 'queue', h.queue, 'key', h.key, 'mode', 'keeping',
            'payload_version', h.payload_version, 'priority', h.priority,
            'max_attempts', h.max_attempts, 'lane', h.lane,
            'batch_id', (SELECT r.id FROM tenure.batch r
                       WHERE r.id = h.batch_id AND r.ended_at IS NULL AND r.ending_at IS NULL),
            'retry_of', h.id, 'trace', h.trace)) || jsonb_build_object('payload', h.payload)
        FROM unnest(past) AS h
        WHERE h.retried_as IS NULL AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = h.id));
    part jsonb[];
BEGIN
    RETURN QUERY
        SELECT h.id, 'kept', h.retried_as FROM unnest(past) AS h WHERE h.retried_as IS NOT NULL;
    -- All together; where that fails, each by itself, and waiting for nobody for long.
    FOR turn IN 0 .. cardinality(jobs) LOOP
        EXIT WHEN jobs = '{}';
        part := CASE WHEN turn = 0 THEN jobs ELSE jobs[turn:turn] END;
        BEGIN
            RETURN QUERY
                WITH made AS MATERIALIZED (
                    SELECT (part[e.ordinal] ->> 'retry_of')::uuid AS old, e.id, e.result
                    FROM tenure.enqueue_jobs(to_jsonb(part)) AS e
                ), marked AS (
                    UPDATE tenure.job_history h SET retried_as = m.id
                    FROM made m WHERE h.id = m.old AND m.result <> 'kept'
                      AND h.id = ANY (array(SELECT o.old FROM made o))
                )
                SELECT m.old, CASE m.result WHEN 'kept' THEN 'kept' ELSE 'retried' END, m.id
                FROM made m;
            EXIT WHEN turn = 0;
        EXCEPTION WHEN OTHERS THEN
            IF turn = 0 THEN
                PERFORM set_config('lock_timeout', '50ms', true);
                CONTINUE;
            END IF;
            IF tenure.is_passing(SQLSTATE) AND SQLSTATE NOT IN ('55P03', '40P01') THEN
                RAISE;
            END IF;
            id := part[1] ->> 'retry_of';
            became := CASE WHEN tenure.is_passing(SQLSTATE) THEN 'busy' ELSE 'refused' END;
            new_id := NULL;
            RETURN NEXT;
        END;
    END LOOP;
END $$;

-- Lets jobs run again that an older release could not: `release` is the caller's. Returns how many,
-- and the queues that have something to claim now: they are to be told, afterwards.
CREATE FUNCTION tenure.release_held(
    wanted_kinds text[], release text, OUT released integer, OUT queues text[])
LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[];
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
        RETURNING j.id, j.queue
    )
    SELECT array_agg(f.id), count(*), coalesce(array_agg(DISTINCT f.queue), '{}')
    INTO ids, released, queues FROM freed f;
    PERFORM tenure.call_lanes(ids) WHERE ids IS NOT NULL;
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

-- A cron expression, read.
CREATE TYPE tenure.cron AS (
    minutes integer[], hours integer[], days integer[], months integer[], weekdays integer[],
    every_hour boolean,   -- the field is *
    any_day boolean, any_weekday boolean
);

-- One field: numbers or names, ranges, steps, lists.
CREATE FUNCTION tenure.cron_field(
    field text, what text, low integer, high integer, names text[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    part  text;
    spot  text[];
    first integer;
    last  integer;
    step  integer;
    found integer[] := '{}';
BEGIN
    FOREACH part IN ARRAY string_to_array(lower(field), ',') LOOP
        spot := regexp_match(
            part, '^(\*|[0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?(?:/([0-9]{1,2}))?$');
        first := CASE WHEN spot[1] = '*' THEN low WHEN spot[1] ~ '^[0-9]' THEN spot[1]::integer
                      ELSE array_position(names, spot[1]) - 1 + low END;
        last := CASE WHEN spot[1] = '*' AND spot[2] IS NULL THEN high
                     WHEN spot[2] ~ '^[0-9]' THEN spot[2]::integer
                     WHEN spot[2] IS NOT NULL THEN array_position(names, spot[2]) - 1 + low
                     WHEN spot[3] IS NOT NULL THEN high
                     ELSE first END;
        IF what = 'weekday' AND spot[2] = 'sun' THEN
            last := 7;
        END IF;
        step := coalesce(spot[3]::integer, 1);
        IF NOT coalesce(first >= low AND last <= high AND first <= last AND step > 0
                        AND (spot[1] <> '*' OR spot[2] IS NULL), false) THEN
            RAISE EXCEPTION 'the cron %, "%", is wrong', what, field USING ERRCODE = 'TN003',
                HINT = format('give %s to %s, a range such as %s-%s, a step such as */2, a list '
                              'of these, or *', low, high, low + 1, low + 3);
        END IF;
        found := found || array(SELECT generate_series(first, last, step));
    END LOOP;
    RETURN found;
END $$;

CREATE FUNCTION tenure.read_cron(expression text) RETURNS tenure.cron
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    fields text[] := regexp_split_to_array(trim(CASE lower(trim(expression))
        WHEN '@hourly' THEN '0 * * * *' WHEN '@daily' THEN '0 0 * * *'
        WHEN '@weekly' THEN '0 0 * * 0' WHEN '@monthly' THEN '0 0 1 * *'
        WHEN '@yearly' THEN '0 0 1 1 *' ELSE expression END), '\s+');
    c      tenure.cron;
BEGIN
    IF cardinality(fields) <> 5 THEN
        RAISE EXCEPTION 'the cron expression "%" has % fields', expression, cardinality(fields)
            USING ERRCODE = 'TN003',
            HINT = 'give five: minute, hour, day, month, weekday, such as 30 2 * * mon-fri; or '
                   '@hourly, @daily, @weekly, @monthly, @yearly';
    END IF;
    c.minutes := tenure.cron_field(fields[1], 'minute', 0, 59, '{}');
    c.hours := tenure.cron_field(fields[2], 'hour', 0, 23, '{}');
    c.days := tenure.cron_field(fields[3], 'day', 1, 31, '{}');
    c.months := tenure.cron_field(
        fields[4], 'month', 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}');
    c.weekdays := array(
        SELECT w % 7 FROM unnest(tenure.cron_field(
            fields[5], 'weekday', 0, 7, '{sun,mon,tue,wed,thu,fri,sat}')) AS w);
    c.every_hour := fields[2] = '*';
    c.any_day := fields[3] LIKE '*%';
    c.any_weekday := fields[5] LIKE '*%';
    RETURN c;
END $$;

-- When a time on the wall clock of a zone is. One that the clock skips is as much later; one that
-- it shows twice is the first of the two, or with `twice` both. PostgreSQL knows the zones; of two
-- it means the second, so the first is found by the distance to UTC that held the day before.
CREATE FUNCTION tenure.wall_time(wall timestamp, zone text, twice boolean)
RETURNS SETOF timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
    late  timestamptz := wall AT TIME ZONE zone;
    early timestamptz := (wall - ((late - interval '1 day') AT TIME ZONE zone
                                  - (late - interval '1 day') AT TIME ZONE 'UTC'))
                         AT TIME ZONE 'UTC';
BEGIN
    IF early < late AND early AT TIME ZONE zone = wall THEN
        RETURN NEXT early;
        IF NOT twice THEN
            RETURN;
        END IF;
    END IF;
    RETURN NEXT late;
END $$;

-- The first tick after a moment. As in cron: when days and weekdays are both restricted, either
-- will do. An hour field of * means every hour that passes, also those the wall clock shows twice.
CREATE FUNCTION tenure.cron_next(cron text, zone text, after timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
    c          tenure.cron := tenure.read_cron(cron);
    day        date := (after AT TIME ZONE zone)::date - 1;  -- a skipped time may be the next day's
    on_day     boolean;
    on_weekday boolean;
    tick       timestamptz;
BEGIN
    FOR ahead IN 0 .. 41 * 366 LOOP  -- 29 February on one weekday comes after 40 years at most
        on_day := extract(day FROM day)::integer = ANY (c.days);
        on_weekday := extract(dow FROM day)::integer = ANY (c.weekdays);
        IF extract(month FROM day)::integer = ANY (c.months)
           AND (on_day AND on_weekday
                OR NOT c.any_day AND NOT c.any_weekday AND (on_day OR on_weekday)) THEN
            SELECT min(t.at) INTO tick
            FROM unnest(c.hours) AS h (hour) CROSS JOIN unnest(c.minutes) AS m (minute)
            CROSS JOIN LATERAL tenure.wall_time(
                day + make_time(h.hour, m.minute, 0), zone, c.every_hour) AS t (at)
            WHERE t.at > after;
            IF tick IS NOT NULL THEN
                RETURN tick;
            END IF;
        END IF;
        day := day + 1;
    END LOOP;
    RAISE EXCEPTION 'the cron expression "%" names a day that never comes', cron
        USING ERRCODE = 'TN003', HINT = 'look at its day and month';
END $$;

-- The next ticks of an interval or a cron expression.
CREATE FUNCTION tenure.next_ticks(
    every interval, cron text, zone text, after timestamptz, most integer)
RETURNS SETOF timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
    FOR i IN 1 .. most LOOP
        after := CASE WHEN cron IS NULL THEN after + every
                      ELSE tenure.cron_next(cron, zone, after) END;
        RETURN NEXT after;
    END LOOP;
END $$;

-- Adds a schedule, or changes one: its next tick stays unless its times have changed. An interval's
-- first tick is now. Null, and nothing is done, where it is there and `replacing` is false.
CREATE FUNCTION tenure.put_schedule(
    schedule text, every interval, cron text, zone text, job jsonb, replacing boolean)
RETURNS timestamptz
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    first timestamptz := clock_timestamp();
BEGIN
    -- Each tick is an enqueue of its own.
    job := job - 'id' - 'new_id';
    PERFORM tenure.check_json('payload', job -> 'payload');
    IF cron IS NOT NULL THEN
        IF NOT EXISTS (SELECT FROM pg_timezone_names z WHERE lower(z.name) = lower(zone)) THEN
            RAISE EXCEPTION 'the time zone "%" is unknown', zone USING ERRCODE = 'TN003',
                HINT = 'give a name such as Europe/Berlin or UTC';
        END IF;
        first := tenure.cron_next(cron, zone, first);
    END IF;
    INSERT INTO tenure.schedule AS s (name, every, cron, zone, next_at, job)
    VALUES (schedule, every, cron, zone, first, job)
    ON CONFLICT (name) DO UPDATE
    SET every = EXCLUDED.every, cron = EXCLUDED.cron, zone = EXCLUDED.zone, job = EXCLUDED.job,
        next_at = CASE WHEN EXCLUDED.every IS NOT NULL
                       THEN least(s.next_at, clock_timestamp() + EXCLUDED.every)
                       WHEN (s.cron, s.zone) IS DISTINCT FROM (EXCLUDED.cron, EXCLUDED.zone)
                       THEN EXCLUDED.next_at
                       ELSE s.next_at END
    WHERE replacing
    RETURNING s.next_at INTO first;
    RETURN CASE WHEN FOUND THEN first END;
END $$;

-- Enqueues what is due, each schedule once per tick however many coordinators call this, and all
-- in one enqueue, whose keys are locked sorted as everywhere. A schedule that was away for several
-- ticks fires once and goes on from now. One that can't fire (its job was changed by hand, its zone
-- is gone) holds up no other: it comes back without a job, with the error, and is due again in a
-- minute, or after its interval. One whose key somebody has locked stays due. `moment` is for tests
-- of days that are not today.
CREATE FUNCTION tenure.fire_schedules(
    at_most integer, moment timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (schedule text, job_id uuid, result text, queue text)
LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
DECLARE
    due   tenure.schedule[];
    part tenure.schedule[];
BEGIN
    due := array(
        SELECT s FROM tenure.schedule s
        WHERE s.paused_at IS NULL AND (s.next_at <= moment
            -- Written before the clock was set back. A cron tick is a date, and stays.
            OR s.every < '1000 years' AND s.next_at > moment + s.every + '1 s')
        ORDER BY s.name LIMIT at_most FOR UPDATE SKIP LOCKED);
    IF due = '{}' THEN
        RETURN;
    END IF;
    -- All together; where that fails, each by itself.
    FOR turn IN 0 .. cardinality(due) LOOP
        part := CASE WHEN turn = 0 THEN due ELSE due[turn:turn] END;
        BEGIN
            UPDATE tenure.schedule s
            SET next_at = CASE WHEN s.cron IS NOT NULL
                               THEN tenure.cron_next(s.cron, s.zone, moment)
                               WHEN s.next_at <= moment AND s.next_at + s.every > moment
                               THEN s.next_at + s.every
                               ELSE moment + s.every END,
                fired = s.fired + 1, fired_at = moment
            WHERE s.name = ANY (array(SELECT d.name FROM unnest(part) AS d));
            RETURN QUERY
                SELECT d.name, e.id, e.result, coalesce(d.job ->> 'queue', 'default')
                FROM tenure.enqueue_jobs(
                    (SELECT jsonb_agg(u.job ORDER BY u.name) FROM unnest(part) AS u)) AS e
                JOIN (SELECT u.name, u.job, row_number() OVER (ORDER BY u.name) AS place
                      FROM unnest(part) AS u) AS d ON d.place = e.ordinal;
            EXIT WHEN turn = 0;
        EXCEPTION
            WHEN OTHERS THEN
                CONTINUE WHEN turn = 0;
                -- Passes by itself, and says nothing of the schedule.
                CONTINUE WHEN SQLSTATE IN ('40P01', '55P03');
                IF tenure.is_passing(SQLSTATE) THEN
                    RAISE;
                END IF;
                schedule := due[turn].name;
                job_id := NULL;
                result := SQLERRM;
                queue := NULL;
                UPDATE tenure.schedule late SET next_at = moment + least(late.every, '1 min')
                WHERE late.name = due[turn].name;
                RETURN NEXT;
        END;
    END LOOP;
END $$;

-- Sets the most jobs of a queue that may run at once, over all workers; null takes the limit
-- away. Exact from its commit on: it waits until no claim is under way, and counts what runs. It
-- gives up (55P03) rather than stand in the way of finishes for long; try again then.
CREATE FUNCTION tenure.limit_queue(queue_name text, most integer) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '2s'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM tenure.require_read_committed('setting a limit');
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
