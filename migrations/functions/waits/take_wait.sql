-- Ends a wait of a run, in a transaction that `hold_run` ends: receives the oldest signal of a
-- name, or notes that its time came first. Nothing is returned where there is something to wait
-- for. A signal is received once: its row is locked, and says by which step.
CREATE OR REPLACE FUNCTION tenure.take_wait(
    job uuid, fence bigint, step text, signal text DEFAULT NULL)
RETURNS TABLE (how tenure.step_way, payload jsonb)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    came tenure.job_signal;
BEGIN
    SELECT * INTO came FROM tenure.job_signal s
    WHERE s.job_id = take_wait.job AND s.name = take_wait.signal AND s.taken_as IS NULL
    ORDER BY s.sent_at, s.id LIMIT 1 FOR UPDATE;
    IF came.id IS NOT NULL THEN
        UPDATE tenure.job_signal s SET taken_as = take_wait.step
        WHERE s.job_id = came.job_id AND s.id = came.id;
        how := 'signal';
        payload := came.payload;
    ELSIF EXISTS (SELECT FROM tenure.job_wait w
                  WHERE w.job_id = take_wait.job AND w.name = take_wait.step
                    AND w.until <= clock_timestamp()) THEN
        how := CASE WHEN take_wait.signal IS NULL THEN 'time' ELSE 'timeout' END;
    ELSE
        RETURN;
    END IF;
    PERFORM tenure.add_step(
        take_wait.job, take_wait.fence, take_wait.step, how, NULL, payload);
    DELETE FROM tenure.job_wait w WHERE w.job_id = take_wait.job AND w.name = take_wait.step;
    RETURN NEXT;
END $$;

-- The same for a signal that was seen (`see_wait`), and may have been used since: it, and no other.
-- Nobody but this run receives any, as long as it has the fence.
CREATE OR REPLACE FUNCTION tenure.take_signal(job uuid, fence bigint, step text, id uuid)
RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    payload jsonb;
    is_here boolean;
BEGIN
    UPDATE tenure.job_signal s SET taken_as = take_signal.step
    WHERE s.job_id = take_signal.job AND s.id = take_signal.id AND s.taken_as IS NULL
    RETURNING s.payload INTO payload;
    is_here := FOUND;
    IF NOT is_here AND EXISTS (
        SELECT FROM tenure.job_signal s
        WHERE s.job_id = take_signal.job AND s.id = take_signal.id
          AND s.taken_as = take_signal.step) THEN
        RETURN;  -- said once more
    END IF;
    -- That the run has lost its job is said first.
    PERFORM tenure.add_step(
        take_signal.job, take_signal.fence, take_signal.step, 'signal', NULL, payload);
    IF NOT is_here THEN
        RAISE EXCEPTION 'job % has no signal % that is not received yet',
            take_signal.job, coalesce(take_signal.id::text, 'null') USING ERRCODE = 'TN003',
            HINT = 'receive each once, by the id that see_wait gives, before the next look';
    END IF;
    DELETE FROM tenure.job_wait w
    WHERE w.job_id = take_signal.job AND w.name = take_signal.step;
END $$;
