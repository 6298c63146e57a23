-- Forgets documents that were doubted so long ago, and that no later fetch has confirmed. Their
-- items' content was never theirs.
CREATE OR REPLACE FUNCTION content.forget_candidates(kept interval, most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    candidates bigint;
BEGIN
    PERFORM content.check_age(kept);
    DELETE FROM content.candidate c
    WHERE c.item = ANY (array(
        SELECT o.item FROM content.candidate o WHERE o.found_at < content.now() - kept
        ORDER BY o.item LIMIT most FOR UPDATE SKIP LOCKED));
    GET DIAGNOSTICS candidates = ROW_COUNT;
    RETURN candidates;
END $$;
