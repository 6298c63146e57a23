-- One enqueue for all that is due: its keys are locked sorted, as everywhere. And what was away
-- fires once and goes on from now, not once more at once.
CREATE OR REPLACE FUNCTION tenure.fire_schedules(at_most integer)
RETURNS TABLE (schedule text, job_id uuid, result text, queue text)
LANGUAGE plpgsql AS $$
DECLARE
    due tenure.schedule[];
BEGIN
    due := array(
        SELECT s FROM tenure.schedule s
        WHERE s.next_at <= clock_timestamp() AND s.paused_at IS NULL
        ORDER BY s.name LIMIT at_most FOR UPDATE SKIP LOCKED);
    IF due = '{}' THEN
        RETURN;
    END IF;
    UPDATE tenure.schedule s
    SET next_at = CASE WHEN s.next_at + s.every > clock_timestamp() THEN s.next_at + s.every
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
