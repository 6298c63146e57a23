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
    -- Each tick is an enqueue of its own.
    job := job - 'id' - 'new_id';
    PERFORM tenure.check_name('schedule', schedule);
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
