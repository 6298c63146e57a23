-- The ways a run comes to its end: a commit with writes of its own, a hold, many at once, reclaim,
-- a chunk.
--
-- Locks: the given ids of follow-ups; subjects sorted, its own and its follow-ups', then jobs by
-- id and fence; a lane only where a job goes on in another.

-- Removes unkeyed runs that were completed, where their rows were last seen; into history, unless
-- their queue keeps nothing. Returns whom it removed: none of a cancelled tree. It waits for
-- whoever has locked one of them.
-- A place is only a hint: what lies there now must have the id and the fence.
CREATE FUNCTION tenure.remove_completed(ids uuid[], fences bigint[], places tid[]) RETURNS uuid[]
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    unkept text[] := array(SELECT q.name FROM tenure.queue q WHERE NOT q.keep_completed);
    gone   uuid[] := '{}';
    kept   uuid[] := '{}';
BEGIN
    -- `IS TRUE` keeps the runs a hashed list beside the places: as a join it could be turned round.
    IF unkept <> '{}' THEN
        WITH gone AS (
            DELETE FROM tenure.job j
            WHERE j.ctid = ANY (places)
              AND ((j.id, j.fence) IN (SELECT r.* FROM unnest(ids, fences) AS r)) IS TRUE
              AND j.ending_at IS NULL AND j.key IS NULL AND j.queue = ANY (unkept)
              -- Asked once, and not before a job of a run is met.
              AND (j.run_id IS NULL OR j.run_id <> ALL (array(
                  SELECT r.id FROM tenure.run r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
            RETURNING j.id)
        SELECT coalesce(array_agg(g.id), '{}') INTO gone FROM gone g;
    END IF;
    IF cardinality(gone) < cardinality(ids) THEN
        WITH gone AS (
            DELETE FROM tenure.job j
            WHERE j.ctid = ANY (places)
              AND ((j.id, j.fence) IN (SELECT r.* FROM unnest(ids, fences) AS r)) IS TRUE
              AND j.ending_at IS NULL AND j.key IS NULL AND j.queue <> ALL (unkept)
              AND (j.run_id IS NULL OR j.run_id <> ALL (array(
                  SELECT r.id FROM tenure.run r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
            RETURNING j.*
        ), kept AS (
            INSERT INTO tenure.job_history (
                id, run_id, parent_id, retry_of, fence, session_id, run_at, created_at,
                claimed_at, outcome, attempt, max_attempts, runs, payload_version, priority, kind,
                queue, lane, payload, trace)
            SELECT g.id, g.run_id, g.parent_id, g.retry_of, g.fence, g.session_id, g.run_at,
                   g.created_at, g.claimed_at, 'completed', g.attempt, g.max_attempts, g.runs,
                   g.payload_version, g.priority, g.kind, g.queue, g.lane, g.payload, g.trace
            FROM gone g
            RETURNING id)
        SELECT coalesce(array_agg(k.id), '{}') INTO kept FROM kept k;
    END IF;
    RETURN gone || kept;
END $$;

-- The same in good hope: nobody locks a completed run for long, as a rule. Where somebody does,
-- nothing is removed.
CREATE FUNCTION tenure.try_removing(ids uuid[], fences bigint[], places tid[]) RETURNS uuid[]
LANGUAGE plpgsql SET lock_timeout = '50ms' AS $$
BEGIN
    RETURN tenure.remove_completed(ids, fences, places);
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    RETURN '{}';
END $$;

-- Completes unkeyed jobs that wrote nothing: the hot path, one call for many. `places` is where the
-- claim left them. Returns those that it did not complete: they are late, have an ending, or are
-- locked just then. Whoever locks one of them holds up the others for 50 ms at most.
CREATE FUNCTION tenure.complete_runs(ids uuid[], fences bigint[], places tid[] DEFAULT NULL)
RETURNS SETOF uuid
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    done uuid[] := '{}';
    free tid[];
BEGIN
    PERFORM tenure.require_durable_commit();
    IF places IS NOT NULL THEN
        done := tenure.try_removing(ids, fences, places);
    END IF;
    IF cardinality(done) = cardinality(ids) THEN
        RETURN;
    END IF;
    -- The careful way, for those that are left: by id, skipping what is locked.
    free := array(
        SELECT l.place FROM (
            SELECT r.id, r.fence FROM unnest(ids, fences) AS r (id, fence)
            WHERE r.id <> ALL (done) ORDER BY r.id) AS r
        CROSS JOIN LATERAL (
            SELECT j.ctid AS place FROM tenure.job j
            WHERE j.id = r.id AND j.fence = r.fence AND j.ending_at IS NULL AND j.key IS NULL
            FOR UPDATE SKIP LOCKED) AS l);
    IF free <> '{}' THEN
        done := done || tenure.remove_completed(ids, fences, free);
    END IF;
    RETURN QUERY SELECT r.id FROM unnest(ids) AS r (id) WHERE r.id <> ALL (done);
END $$;

-- Completes one run that enqueues nothing: the steps of `end_runs` for it, without arrays, at a
-- third of their cost. False, and nothing is written, where there is more to decide.
CREATE FUNCTION tenure.complete_run(job uuid, fence bigint, result jsonb) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    mine tenure.job;
    was  tenure.subject;
BEGIN
    SELECT * INTO mine FROM tenure.job j WHERE j.id = complete_run.job;
    IF mine.key IS NOT NULL THEN
        PERFORM FROM tenure.subject_lock s
        WHERE s.kind = mine.kind AND s.key = mine.key FOR NO KEY UPDATE;
        PERFORM tenure.require_current_view(ARRAY[mine.kind], ARRAY[mine.key]);
    END IF;
    SELECT * INTO mine FROM tenure.job j
    WHERE j.id = complete_run.job AND j.fence = complete_run.fence FOR UPDATE;
    IF mine.id IS NULL OR mine.ending_at IS NOT NULL OR mine.run_id IS NOT NULL THEN
        RETURN false;
    END IF;
    PERFORM tenure.require_durable_commit();
    IF mine.key IS NOT NULL THEN
        SELECT * INTO was FROM tenure.subject_of(mine.kind, mine.key);
        -- A successor may have to be let go; where the subject is gone, it has to be made anew.
        IF was.issued IS NULL OR was.floor > mine.generation
           OR was.committed >= mine.generation OR EXISTS (
            SELECT FROM tenure.job n WHERE n.kind = mine.kind AND n.key = mine.key
              AND n.generation >= greatest(was.floor, was.committed + 1)
              AND n.id <> mine.id OFFSET 0) THEN
            RETURN false;
        END IF;
        UPDATE tenure.subject s SET committed = mine.generation, touched_at = clock_timestamp()
        WHERE s.kind = mine.kind AND s.key = mine.key AND s.issued = was.issued;
    END IF;
    DELETE FROM tenure.job j WHERE j.id = mine.id;
    INSERT INTO tenure.job_history (
        id, parent_id, retry_of, generation, fence, session_id, run_at, created_at, claimed_at,
        outcome, attempt, max_attempts, runs, payload_version, priority, kind, queue, key, lane,
        payload, result, trace)
    SELECT mine.id, mine.parent_id, mine.retry_of, mine.generation, mine.fence, mine.session_id,
           mine.run_at, mine.created_at, mine.claimed_at, 'completed', mine.attempt,
           mine.max_attempts, mine.runs, mine.payload_version, mine.priority, mine.kind,
           mine.queue, mine.key, mine.lane, mine.payload, complete_run.result, mine.trace
    WHERE NOT EXISTS (
        SELECT FROM tenure.queue q WHERE q.name = mine.queue AND NOT q.keep_completed);
    RETURN true;
END $$;

-- The last statement of a commit: ends one run in the transaction that holds its writes, with
-- its follow-up jobs. Raises TN001 when the result is late: roll back, nothing of it counts.
CREATE FUNCTION tenure.finish(
    job uuid, fence bigint, outcome text DEFAULT 'completed', result jsonb DEFAULT NULL,
    follow_ups jsonb DEFAULT NULL, reason text DEFAULT NULL, delay interval DEFAULT NULL,
    lanes jsonb DEFAULT NULL)
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    became   text;
    outdated boolean;
    taken    tenure.enqueued[];
BEGIN
    IF finish.outcome NOT IN ('completed', 'failed', 'snoozed', 'discarded', 'cancelled',
                              'superseded', 'handed_back', 'held') THEN
        RAISE EXCEPTION 'outcome "%" is unknown', finish.outcome USING ERRCODE = 'TN003',
            HINT = 'use completed, failed, snoozed, discarded, handed_back or held';
    ELSIF finish.delay > '3650 days' THEN
        RAISE EXCEPTION 'delay is %', finish.delay USING ERRCODE = 'TN003',
            HINT = 'give at most 3650 days';
    END IF;
    IF tenure.keeps_snapshot() THEN
        PERFORM tenure.require_current_runs_of(ARRAY[finish.job]);
    END IF;
    PERFORM tenure.check_json('result', finish.result),
            tenure.check_json('payload', finish.lanes #> '{move,payload}');
    IF finish.follow_ups IS NOT NULL THEN
        PERFORM tenure.enter_other_runs(finish.follow_ups, ARRAY[finish.job]);
        taken := tenure.take_follow_ups(finish.follow_ups);
    ELSIF finish.outcome = 'completed' AND finish.reason IS NULL AND finish.lanes IS NULL THEN
        IF tenure.complete_run(finish.job, finish.fence, finish.result) THEN
            RETURN;
        END IF;
    END IF;
    PERFORM tenure.lock_subjects(ARRAY[finish.job], finish.follow_ups, true);
    -- Under its lock: a job that merely gives way to a coalesced successor is not late.
    outdated := EXISTS (
        SELECT FROM (SELECT j.kind, j.key, j.generation FROM tenure.job j
                     WHERE j.id = finish.job OFFSET 0) AS j
        CROSS JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s
        WHERE s.floor > j.generation OR s.committed >= j.generation);
    became := (SELECT e.became FROM tenure.end_runs(ARRAY[
        (finish.job, finish.fence, finish.outcome, finish.delay, finish.result, finish.reason,
         NULL, NULL, NULL, finish.lanes)::tenure.ending], true) AS e);
    IF became = 'late' OR became = 'cancelled' AND finish.outcome <> 'cancelled'
       OR became = 'superseded' AND finish.outcome <> 'superseded' AND outdated THEN
        RAISE EXCEPTION 'late result: job % is % for fence %', finish.job,
            CASE became WHEN 'late' THEN 'gone' ELSE became END, finish.fence
            USING ERRCODE = 'TN001', DETAIL = became,
            HINT = 'roll back; another run of this job, or a newer one, has its place';
    END IF;
    IF finish.follow_ups IS NOT NULL THEN
        RETURN QUERY SELECT e.*
                     FROM tenure.enqueue_new(
                         tenure.read_jobs(finish.follow_ups), true, taken) AS e;
    END IF;
END $$;

-- Holds a run's right until the end of the transaction, for writes that do not end the job, with
-- follow-up jobs. It comes after the writes: fence first would be another lock order.
-- Raises TN001 when the right is gone. A supersede waits for this transaction, or this one sees it.
CREATE FUNCTION tenure.hold_run(job uuid, fence bigint, follow_ups jsonb DEFAULT NULL)
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    mine  tenure.job;
    taken tenure.enqueued[];
BEGIN
    IF hold_run.follow_ups IS NOT NULL THEN
        PERFORM tenure.enter_other_runs(hold_run.follow_ups, ARRAY[hold_run.job]);
        taken := tenure.take_follow_ups(hold_run.follow_ups);
    END IF;
    PERFORM tenure.lock_subjects(ARRAY[hold_run.job], hold_run.follow_ups, true);
    SELECT * INTO mine FROM tenure.job j
    WHERE j.id = hold_run.job AND j.fence = hold_run.fence FOR NO KEY UPDATE;
    IF NOT FOUND OR mine.ending_at IS NOT NULL OR EXISTS (
        SELECT FROM tenure.subject_of(mine.kind, mine.key) AS s
        WHERE s.floor > mine.generation OR s.committed >= mine.generation)
       OR EXISTS (SELECT FROM tenure.run_ending(mine.run_id)) THEN
        RAISE EXCEPTION 'late result: job % has lost fence %', hold_run.job, hold_run.fence
            USING ERRCODE = 'TN001', DETAIL = 'late',
            HINT = 'roll back; another run of this job, or a newer one, has its place';
    END IF;
    IF hold_run.follow_ups IS NOT NULL THEN
        RETURN QUERY SELECT e.*
                     FROM tenure.enqueue_new(
                         tenure.read_jobs(hold_run.follow_ups), true, taken) AS e;
    END IF;
END $$;

-- Ends the runs of dead sessions, a bounded number at a time. Those whose handlers had begun have
-- spent an attempt; what was only claimed goes back as it was. A job that is locked just then, or
-- whose key is, is left for another round and takes no place in this one: nobody's open
-- transaction delays the others.
CREATE FUNCTION tenure.reclaim_runs(at_most integer)
RETURNS TABLE (id uuid, became text, kind text, queue text)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    orphans tenure.job[];
    begun   bigint[];
BEGIN
    orphans := array(
        SELECT o.job FROM (
            SELECT j AS job FROM tenure.session s JOIN tenure.job j ON j.session_id = s.id
            WHERE s.reclaimed_at IS NULL AND s.ended_at IS NOT NULL
            ORDER BY j.id OFFSET 0) AS o
        WHERE ((o.job).key IS NULL OR EXISTS (
            SELECT FROM tenure.subject_lock s
            WHERE s.kind = (o.job).kind AND s.key = (o.job).key
            FOR NO KEY UPDATE SKIP LOCKED))
          AND EXISTS (
            SELECT FROM tenure.job l WHERE l.id = (o.job).id FOR UPDATE SKIP LOCKED)
        LIMIT at_most);
    begun := array(SELECT o.fence FROM unnest(orphans) AS o
                   WHERE tenure.has_begun(o.session_id, o.queue, o.fence));
    PERFORM tenure.note_deaths(array(
        SELECT o FROM unnest(orphans) AS o WHERE o.fence = ANY (begun)));
    RETURN QUERY
        SELECT e.id, e.became, o.kind, o.queue FROM tenure.end_runs(array(
            SELECT (o.id, o.fence,
                    CASE WHEN o.fence = ANY (begun) THEN 'reclaimed' ELSE 'unbegun' END,
                    NULL, NULL, NULL, 'worker_died',
                    format('session %s ended while the job ran', o.session_id), NULL,
                    NULL)::tenure.ending
            FROM unnest(orphans) AS o), false) AS e
        JOIN unnest(orphans) AS o ON o.id = e.id
        WHERE e.became NOT IN ('busy', 'late');
    WITH done AS (
        UPDATE tenure.session s SET reclaimed_at = clock_timestamp()
        WHERE s.reclaimed_at IS NULL AND s.ended_at IS NOT NULL
          AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.session_id = s.id)
        RETURNING s.id
    )
    DELETE FROM tenure.session_begun b WHERE b.session_id = ANY (array(SELECT d.id FROM done d));
END $$;

-- The last statement of a chunk's commit: ends many runs in the transaction that holds the writes
-- of them all, with their follow-up jobs; all of them or none. The arrays belong together, place by
-- place. Returns what became of each. Raises TN001 when some are late: its DETAIL is a JSON object
-- that says of these jobs, and of no other, what became of them. Roll back, and come without them.
CREATE FUNCTION tenure.finish_chunk(
    jobs uuid[], fences bigint[], outcomes text[], results jsonb[] DEFAULT NULL,
    reasons text[] DEFAULT NULL, delays interval[] DEFAULT NULL, lanes jsonb[] DEFAULT NULL,
    follow_ups jsonb DEFAULT NULL)
RETURNS SETOF tenure.ended
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    endings  tenure.ending[];
    outdated uuid[];
    ended    tenure.ended[];
    late     jsonb;
    taken    tenure.enqueued[];
BEGIN
    endings := array(
        SELECT (w.job, w.fence, w.outcome, w.delay, w.result, w.reason, NULL, NULL, NULL,
                w.lanes)::tenure.ending
        FROM unnest(jobs, fences, outcomes, delays, results, reasons, lanes)
            AS w (job, fence, outcome, delay, result, reason, lanes));
    PERFORM tenure.check_endings(endings);
    IF tenure.keeps_snapshot() THEN
        PERFORM tenure.require_current_runs_of(jobs);
    END IF;
    IF follow_ups IS NOT NULL THEN
        PERFORM tenure.enter_other_runs(follow_ups, jobs);
        taken := tenure.take_follow_ups(follow_ups);
    END IF;
    PERFORM tenure.lock_subjects(jobs, follow_ups, true);
    -- Under their locks: a job that merely gives way to a coalesced successor is not late.
    outdated := array(
        SELECT j.id FROM unnest(jobs) AS w (id)
        CROSS JOIN LATERAL (
            SELECT j.id, j.kind, j.key, j.generation FROM tenure.job j
            WHERE j.id = w.id OFFSET 0) AS j
        CROSS JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s
        WHERE s.floor > j.generation OR s.committed >= j.generation);
    ended := array(SELECT e FROM tenure.end_runs(endings, true) AS e);
    late := (SELECT jsonb_object_agg(e.id, e.became)
             FROM unnest(ended) AS e JOIN unnest(endings) AS w ON w.id = e.id
             WHERE e.became = 'late' OR e.became = 'cancelled' AND w.wanted <> 'cancelled'
                OR e.became = 'superseded' AND w.wanted <> 'superseded'
                   AND e.id = ANY (outdated));
    IF late IS NOT NULL THEN
        RAISE EXCEPTION 'late results: of % jobs', (SELECT count(*) FROM jsonb_object_keys(late))
            USING ERRCODE = 'TN001', DETAIL = late::text,
            HINT = 'roll back; other runs of these jobs, or newer ones, have their places';
    END IF;
    IF follow_ups IS NOT NULL THEN
        PERFORM FROM tenure.enqueue_new(tenure.read_jobs(follow_ups), true, taken);
    END IF;
    RETURN QUERY SELECT e.* FROM unnest(ended) AS e;
END $$;

-- Refuses what a chunk's commit can't end runs with.
CREATE FUNCTION tenure.check_endings(endings tenure.ending[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    problem text := (
        SELECT p.problem FROM (
            SELECT e.*, count(*) OVER (PARTITION BY e.id) AS times FROM unnest(endings) AS e) AS e
        CROSS JOIN LATERAL (SELECT CASE
            WHEN e.id IS NULL OR e.fence IS NULL THEN 'a job or its fence is missing'
            WHEN e.times > 1 THEN format('job %s is there twice', e.id)
            WHEN e.wanted IN ('completed', 'failed', 'snoozed', 'discarded', 'cancelled',
                              'superseded', 'handed_back', 'held') IS NOT TRUE
                THEN format('outcome "%s" of job %s is unknown', e.wanted, e.id)
            WHEN e.delay > '3650 days'
                THEN format('delay of job %s is %s, at most 3650 days', e.id, e.delay)
            END) AS p (problem)
        WHERE p.problem IS NOT NULL LIMIT 1);
BEGIN
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION '%', problem USING ERRCODE = 'TN003';
    END IF;
    PERFORM tenure.check_json('result', e.result),
            tenure.check_json('payload', e.lanes #> '{move,payload}')
    FROM unnest(endings) AS e WHERE e.result IS NOT NULL OR e.lanes IS NOT NULL;
END $$;
