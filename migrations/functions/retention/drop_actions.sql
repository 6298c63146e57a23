-- Forgets what operators did longer ago than that, so many at a time; returns how many. What is
-- locked just then waits for the next time.
CREATE OR REPLACE FUNCTION tenure.drop_actions(kept interval, most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    dropped integer;
BEGIN
    -- Nobody is to forget what he has just done.
    IF (kept >= interval '1 hour' AND most > 0) IS NOT TRUE THEN
        RAISE EXCEPTION 'actions are not forgotten after %, % at a time', kept, most
            USING ERRCODE = 'TN003', HINT = 'give 1 hour or more, and a number above 0';
    END IF;
    DELETE FROM tenure.action a WHERE a.id = ANY (array(
        SELECT o.id FROM tenure.action o WHERE o.last_at < clock_timestamp() - kept
        ORDER BY o.last_at LIMIT most FOR UPDATE SKIP LOCKED));
    GET DIAGNOSTICS dropped = ROW_COUNT;
    RETURN dropped;
END $$;
