-- Forgets changes of targets' states that were so long ago. What a target is now stands with it.
CREATE OR REPLACE FUNCTION content.forget_events(kept interval, most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    events bigint;
BEGIN
    PERFORM content.check_age(kept);
    DELETE FROM content.target_event e
    WHERE e.ctid = ANY (array(
        SELECT o.ctid FROM content.target_event o WHERE o.at < content.now() - kept
        ORDER BY o.at LIMIT most FOR UPDATE SKIP LOCKED));
    GET DIAGNOSTICS events = ROW_COUNT;
    RETURN events;
END $$;
