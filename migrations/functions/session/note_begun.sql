-- Notes which runs of a queue have begun, from the first fence to the last of each range; `number`
-- grows with each note, and `since` is the oldest that may still be there. To be sent before the
-- handlers begin, not awaited: what a killed process has sent is still carried out. It waits for
-- nobody, not even for the disk: what a crash of the server forgets, no worker's death brings back.
-- False: the session is over.
CREATE OR REPLACE FUNCTION tenure.note_begun(
    session bigint, of_queue text, number bigint, since bigint, lows bigint[], highs bigint[])
RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    -- Alone in its transaction: what others have written before is not theirs to be forgotten.
    IF pg_current_xact_id_if_assigned() IS NULL THEN
        PERFORM set_config('synchronous_commit', 'off', true);
    END IF;
    INSERT INTO tenure.session_begun (session_id, queue, n, fences)
    SELECT session, of_queue, number, coalesce(range_agg(int8range(r.low, r.high, '[]')), '{}')
    FROM unnest(lows, highs) AS r (low, high)
    HAVING EXISTS (SELECT FROM tenure.session s WHERE s.id = session AND s.ended_at IS NULL)
    -- Sent twice, it says the same.
    ON CONFLICT (session_id, queue, n) DO UPDATE
        SET fences = tenure.session_begun.fences + EXCLUDED.fences;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    DELETE FROM tenure.session_begun b
    WHERE b.session_id = session AND b.queue = of_queue AND b.n >= since AND b.n < number;
    RETURN true;
END $$;

-- Whether a session's run has begun, as far as the session has said.
CREATE OR REPLACE FUNCTION tenure.has_begun(of_session bigint, of_queue text, fence bigint)
RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT NOT s.says_begun OR coalesce((
        SELECT b.fences @> has_begun.fence FROM tenure.session_begun b
        WHERE b.session_id = s.id AND b.queue = of_queue ORDER BY b.n DESC LIMIT 1), false)
    FROM tenure.session s WHERE s.id = of_session
$$;
