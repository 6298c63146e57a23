-- Changes a pending job; what is null stays. Answers `edited`, or what keeps it from being so, and
-- then nothing of it is: `running` (it runs, or is claimed), `waiting` (it waits for a signal or a
-- time, and its run time is not its own), `begun` (its runs have left steps or a wait behind them,
-- which belong to the old payload), `outdated` (its key has a newer one), `finished`, `unknown`.
-- What nobody could set raises TN003. Workers are to be told afterwards.
--
-- As a coalescing enqueue gives its payload to a pending job, a new payload of a key is a new
-- generation: whoever has seen one knows what it is about. A later enqueue of the key may replace
-- all of it, as its mode says. A run time that is over is now, and so is that of a job that changes
-- its line: it is in front of nobody's claim position.
-- Locks: as everywhere, a keyed job's subject before the job, and then its lane.
CREATE OR REPLACE FUNCTION tenure.edit_job(
    job uuid, by_whom text, run_at timestamptz DEFAULT NULL, after interval DEFAULT NULL,
    priority integer DEFAULT NULL, queue text DEFAULT NULL, payload jsonb DEFAULT NULL,
    payload_version integer DEFAULT NULL, max_attempts integer DEFAULT NULL,
    note jsonb DEFAULT NULL, tags text[] DEFAULT NULL) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_variable
DECLARE
    is_moved   CONSTANT boolean := num_nonnulls(priority, queue) > 0;
    is_timed   CONSTANT boolean := num_nonnulls(run_at, after) > 0;
    is_renewed CONSTANT boolean := num_nonnulls(payload, payload_version) > 0;
    found_state tenure.job_state;
    mine        tenure.job;
    moment      timestamptz;
    due         timestamptz;
    words       text[];
    had         text[];
    fresh       bigint;
    reason      text;
BEGIN
    PERFORM tenure.check_edit(
        run_at, after, priority, queue, payload, payload_version, max_attempts, tags);
    words := tenure.read_tags(to_jsonb(tags));
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.lock_subjects(ARRAY[job], NULL, true);
    found_state := tenure.lock_job(job);
    IF found_state IS NULL THEN
        RETURN CASE WHEN EXISTS (SELECT FROM tenure.job_history h WHERE h.id = job)
                    THEN 'finished' ELSE 'unknown' END;
    ELSIF found_state = 'running' THEN
        RETURN 'running';
    END IF;
    SELECT * INTO mine FROM tenure.job j WHERE j.id = job;
    reason := tenure.why_not_edit(mine, is_timed, is_renewed);
    IF reason IS NOT NULL THEN
        RETURN reason;
    END IF;
    moment := clock_timestamp();
    due := CASE WHEN run_at IS NOT NULL THEN greatest(run_at, moment)
                WHEN after IS NOT NULL THEN greatest(tenure.moment_after(after), moment)
                WHEN is_moved THEN greatest(mine.run_at, moment)
                ELSE mine.run_at END;
    PERFORM tenure.require_edit(mine, due, max_attempts);
    IF is_renewed AND mine.key IS NOT NULL THEN
        fresh := tenure.renew_generation(mine.kind, mine.key);
    END IF;
    UPDATE tenure.job j
    SET run_at = due, priority = coalesce(edit_job.priority, j.priority),
        queue = coalesce(edit_job.queue, j.queue), payload = coalesce(edit_job.payload, j.payload),
        payload_version = coalesce(edit_job.payload_version, j.payload_version),
        max_attempts = coalesce(edit_job.max_attempts, j.max_attempts),
        calendar = CASE WHEN is_timed THEN coalesce(edit_job.run_at > moment, false)
                        ELSE j.calendar AND due = j.run_at END,
        generation = coalesce(fresh, j.generation),
        -- Who could not read the old payload may read the new one.
        hold_reason = CASE WHEN NOT is_renewed THEN j.hold_reason END,
        hold_versions = CASE WHEN NOT is_renewed THEN j.hold_versions END,
        state = CASE WHEN j.state IN ('waiting', 'retryable')
                       OR j.state = 'held' AND NOT is_renewed THEN j.state
                     WHEN due > moment THEN 'scheduled'
                     ELSE 'available' END::tenure.job_state
    WHERE j.id = job;
    IF tags IS NOT NULL THEN
        had := array(SELECT t.tag FROM tenure.job_tag t WHERE t.job_id = job ORDER BY t.tag);
        DELETE FROM tenure.job_tag t WHERE t.job_id = job AND t.tag <> ALL (coalesce(words, '{}'));
        INSERT INTO tenure.job_tag (tag, job_id) SELECT w.tag, job FROM unnest(words) AS w (tag)
        ON CONFLICT DO NOTHING;
    END IF;
    IF queue <> mine.queue AND mine.lane IS NOT NULL THEN
        PERFORM tenure.follow_lane(mine, queue, due);
    ELSE
        PERFORM tenure.call_lanes(ARRAY[job]);
    END IF;
    PERFORM tenure.note_action(
        'edit', 'job', jsonb_build_object('ids', jsonb_build_array(job), 'set',
            jsonb_strip_nulls(jsonb_build_object(
                'runAt', CASE WHEN is_timed THEN due END, 'priority', priority, 'queue', queue,
                'payload', CASE WHEN payload IS NOT NULL THEN true END,
                'payloadVersion', payload_version, 'maxAttempts', max_attempts,
                'tags', CASE WHEN tags IS NOT NULL THEN to_jsonb(coalesce(words, '{}')) END)),
            'was', jsonb_strip_nulls(jsonb_build_object(
                'runAt', CASE WHEN is_timed THEN mine.run_at END,
                'priority', CASE WHEN priority IS NOT NULL THEN mine.priority END,
                'queue', CASE WHEN queue IS NOT NULL THEN mine.queue END,
                'payloadVersion', CASE WHEN payload_version IS NOT NULL
                                       THEN mine.payload_version END,
                'maxAttempts', CASE WHEN max_attempts IS NOT NULL THEN mine.max_attempts END,
                'tags', CASE WHEN tags IS NOT NULL THEN to_jsonb(had) END))),
        1, by_whom, note);
    RETURN 'edited';
END $$;

-- Refuses what an enqueue would refuse.
CREATE OR REPLACE FUNCTION tenure.check_edit(
    run_at timestamptz, after interval, priority integer, queue text, payload jsonb,
    payload_version integer, max_attempts integer, tags text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    wrong CONSTANT text := CASE
        WHEN num_nonnulls(run_at, after, priority, queue, payload, payload_version,
                          max_attempts, tags) = 0
        THEN 'edit changes nothing; give run_at, after, priority, queue, payload, '
             'payload_version, max_attempts or tags'
        WHEN num_nonnulls(run_at, after) = 2
        THEN 'run time is given twice; give run_at or after'
        WHEN NOT tenure.is_sane(run_at)
        THEN format('run_at is %s; give a time in the years 1 to 9999', run_at)
        WHEN NOT tenure.is_bearable(after)
        THEN format('after is %s; give at most 365000 days', after)
        WHEN priority NOT BETWEEN 0 AND 9
        THEN format('priority is %s; give 0 to 9', priority)
        WHEN payload_version NOT BETWEEN 1 AND 32767
        THEN format('payload_version is %s; give 1 to 32767', payload_version)
        WHEN max_attempts NOT BETWEEN 1 AND 10000
        THEN format('max_attempts is %s; give 1 to 10000', max_attempts)
        WHEN queue IS NOT NULL
        THEN 'queue ' || tenure.wrong_name(queue, 128) END;
BEGIN
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'a job''s %', wrong USING ERRCODE = 'TN003';
    END IF;
    PERFORM tenure.check_json('payload', payload) WHERE payload IS NOT NULL;
END $$;

-- What keeps a pending job, which is locked, from being edited so; null: nothing.
CREATE OR REPLACE FUNCTION tenure.why_not_edit(
    mine tenure.job, is_timed boolean, is_renewed boolean) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    waits CONSTANT boolean := EXISTS (SELECT FROM tenure.job_wait w WHERE w.job_id = mine.id);
BEGIN
    IF is_timed AND NOT mine.waits_for_key AND NOT mine.waits_for_jobs
       AND (mine.state = 'waiting' OR mine.state = 'scheduled' AND waits) THEN
        RETURN 'waiting';
    ELSIF is_renewed AND (waits OR EXISTS (
            SELECT FROM tenure.job_step s WHERE s.job_id = mine.id)) THEN
        RETURN 'begun';
    ELSIF is_renewed AND mine.key IS NOT NULL AND (
            EXISTS (SELECT FROM tenure.subject_of(mine.kind, mine.key) AS s
                    WHERE mine.generation < greatest(s.floor, s.committed + 1))
            OR EXISTS (SELECT FROM tenure.job n
                       WHERE n.kind = mine.kind AND n.key = mine.key
                         AND n.generation > mine.generation)) THEN
        RETURN 'outdated';
    END IF;
    RETURN NULL;
END $$;

-- Refuses what this very job can't have.
CREATE OR REPLACE FUNCTION tenure.require_edit(
    mine tenure.job, due timestamptz, max_attempts integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF due <> mine.run_at AND mine.not_after <= due THEN
        RAISE EXCEPTION 'a job''s run time is %, and it expires at %', due, mine.not_after
            USING ERRCODE = 'TN003', HINT = 'give an earlier run time';
    ELSIF max_attempts <= mine.attempt THEN
        RAISE EXCEPTION 'a job''s max_attempts is %, and it has had %', max_attempts, mine.attempt
            USING ERRCODE = 'TN003', HINT = format('give %s or more', mine.attempt + 1);
    END IF;
END $$;

-- A key's next generation, by which nothing gets out of date. Its subject is locked.
CREATE OR REPLACE FUNCTION tenure.renew_generation(wanted_kind text, wanted_key text)
RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    last  bigint;
    drawn bigint;
BEGIN
    SELECT s.issued INTO last FROM tenure.subject_of(wanted_kind, wanted_key) AS s;
    drawn := nextval('tenure.generation');
    UPDATE tenure.subject s SET issued = drawn, touched_at = clock_timestamp()
    WHERE s.kind = wanted_kind AND s.key = wanted_key AND s.issued = last;
    RETURN drawn;
END $$;

-- A job's lane in another queue: where there is none of its name yet, it has the limits of the old.
CREATE OR REPLACE FUNCTION tenure.follow_lane(mine tenure.job, to_queue text, due timestamptz)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    old tenure.lane;
BEGIN
    SELECT * INTO old FROM tenure.lane l WHERE l.queue = mine.queue AND l.name = mine.lane;
    PERFORM tenure.make_lanes(ARRAY[jsonb_populate_record(
        NULL::tenure.new_job, jsonb_build_object(
            'queue', to_queue, 'run_at', due, 'lane', mine.lane,
            'lane_max_running', old.max_running, 'lane_burst', old.burst,
            'lane_min_interval', tenure.lane_pause(old.min_interval),
            'lane_weight', old.weight, 'lane_strict', old.is_strict))]);
END $$;
