-- Adds a schedule, or changes one: its next tick stays unless its times have changed. An interval's
-- first tick is now. Null, and nothing is done, where it is there and `replacing` is false. Named
-- by nobody, it is no act of an operator's: programs declare theirs each time they start.
CREATE OR REPLACE FUNCTION tenure.put_schedule(
    schedule text, every interval, cron text, zone text, job jsonb, replacing boolean,
    by_whom text DEFAULT NULL, note jsonb DEFAULT NULL)
RETURNS timestamptz
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    first timestamptz := clock_timestamp();
BEGIN
    PERFORM tenure.check_name('schedule', schedule),
            tenure.check_fields(jsonb_build_array(job), '{owner}');
    -- Each tick is an enqueue of its own.
    job := job - 'id' - 'new_id';
    -- Now, while somebody is there to be told, and not at the first tick.
    PERFORM tenure.check_json('payload', job -> 'payload'),
            tenure.check_jobs(tenure.read_jobs(jsonb_build_array(job)));
    IF cron IS NOT NULL THEN
        PERFORM tenure.check_zone(schedule, zone);
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
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    PERFORM tenure.note_action(
        'set', 'schedule', jsonb_strip_nulls(jsonb_build_object(
            'name', schedule, 'everySeconds', extract(epoch FROM every), 'cron', cron, 'zone', zone,
            'kind', job -> 'kind', 'queue', job -> 'queue')), NULL, by_whom, note)
    WHERE by_whom IS NOT NULL;
    RETURN first;
END $$;

-- Refuses a time zone that this database doesn't know. Its own list is the truth: servers differ in
-- it, and AT TIME ZONE would take `Berlin+2` for a zone of somebody's making.
CREATE OR REPLACE FUNCTION tenure.check_zone(schedule text, zone text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    near text;
BEGIN
    IF EXISTS (SELECT FROM pg_timezone_names z WHERE lower(z.name) = lower(zone)) THEN
        RETURN;
    END IF;
    IF NOT tenure.is_plain(zone) THEN
        RAISE EXCEPTION 'schedule %: the time zone %', schedule, tenure.wrong_name(zone, 255)
            USING ERRCODE = 'TN003';
    END IF;
    -- `UTC+2` is near UTC, and means another time.
    IF zone !~ '[0-9]' THEN
        near := tenure.nearest_name(zone, array(
            SELECT z.name FROM pg_timezone_names z WHERE z.name !~ '^(posix|right)/'));
    END IF;
    RAISE EXCEPTION 'schedule %: the time zone % is unknown', schedule,
        coalesce('"' || left(zone, 128) || '"', 'null') USING ERRCODE = 'TN003',
        HINT = format('give a name that pg_timezone_names has, such as %s',
                      coalesce(near, 'Europe/Berlin or UTC'));
END $$;
