-- Lets runs wait that have ended for it, as `apply_decisions` left them: `waiting`. Says what
-- became of each: one with a time is scheduled for it, and nobody has to move it; one whose signal
-- is there already, or whose time is over, is available. The jobs are locked.
--
-- Who sends a signal has the job's row locked (`send_signal`): what was sent before it was had here
-- is seen by the statement that looks, which comes after; what is sent later sees the wait.
CREATE OR REPLACE FUNCTION tenure.enter_waits(
    endings tenure.ending[], decisions tenure.decision[]) RETURNS tenure.decision[]
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    moment CONSTANT timestamptz := clock_timestamp();
    ids    CONSTANT uuid[] := array(
        SELECT d.id FROM unnest(decisions) AS d WHERE d.became = 'waiting');
    states jsonb;
BEGIN
    -- No lock tells of signals that an old snapshot doesn't show.
    PERFORM tenure.require_read_committed('a wait');
    -- What an earlier run waited for and this one doesn't is no reason to wake it.
    DELETE FROM tenure.job_wait w
    WHERE w.job_id = ANY (ids) AND NOT EXISTS (
        SELECT FROM unnest(endings) AS e
        CROSS JOIN LATERAL jsonb_array_elements(e.also -> 'wait') AS x (wait)
        WHERE e.id = w.job_id AND x.wait ->> 'step' = w.name);
    -- A wait that goes on has begun when it began.
    INSERT INTO tenure.job_wait (job_id, name, signal, until)
    SELECT e.id, x.wait ->> 'step', x.wait ->> 'signal', CASE WHEN x.wait ? 'for'
               THEN tenure.moment_after((x.wait ->> 'for')::interval)
               ELSE (x.wait ->> 'until')::timestamptz END
    FROM unnest(endings) AS e
    JOIN unnest(decisions) AS d ON d.id = e.id AND d.fence = e.fence AND d.became = 'waiting'
    CROSS JOIN LATERAL jsonb_array_elements(e.also -> 'wait') AS x (wait)
    ON CONFLICT (job_id, name) DO NOTHING;
    WITH ends AS MATERIALIZED (
        SELECT w.job_id, min(w.until) AS until,
               bool_or(coalesce(w.until <= moment, false) OR EXISTS (
                   SELECT FROM tenure.job_signal s
                   WHERE s.job_id = w.job_id AND s.name = w.signal
                     AND s.taken_as IS NULL)) AS is_over
        FROM tenure.job_wait w WHERE w.job_id = ANY (ids) GROUP BY w.job_id
    ), moved AS (
        UPDATE tenure.job j
        SET not_after = NULL,  -- it has begun in time
            run_at = CASE WHEN NOT e.is_over AND e.until < 'infinity' THEN e.until
                          ELSE moment END,
            state = CASE WHEN e.is_over THEN 'available'
                         WHEN e.until < 'infinity' THEN 'scheduled'
                         ELSE 'waiting' END::tenure.job_state
        FROM ends e WHERE j.id = e.job_id AND j.id = ANY (ids)
        RETURNING j.id, j.state
    )
    SELECT jsonb_object_agg(m.id, m.state) INTO states FROM moved m;
    PERFORM tenure.call_lanes(ids);
    RETURN array(
        SELECT (d.id, d.fence,
                CASE WHEN d.became = 'waiting' THEN coalesce(states ->> d.id::text, 'waiting')
                     ELSE d.became END,
                d.delay, d.result, d.reason, d.refund, d.error_code, d.error_message,
                d.hold_version, d.unbegun)::tenure.decision
        FROM unnest(decisions) AS d);
END $$;
