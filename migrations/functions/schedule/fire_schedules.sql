-- Enqueues what is due, each schedule once per tick however many coordinators call this, and all
-- in one enqueue, whose keys are locked sorted as everywhere. A schedule that was away for several
-- ticks fires once and goes on from now. One that can't fire (its job was changed by hand, its zone
-- is gone) holds up no other: it comes back without a job, with the error, and is due again in a
-- minute, or after its interval. One whose key somebody has locked stays due. `moment` is for tests
-- of days that are not today.
CREATE OR REPLACE FUNCTION tenure.fire_schedules(
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
                FROM tenure.enqueue_new(tenure.read_jobs(
                    (SELECT jsonb_agg(u.job ORDER BY u.name) FROM unnest(part) AS u))) AS e
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
