-- Forgets notices that were made so long ago, with whether they have arrived.
CREATE OR REPLACE FUNCTION content.forget_notices(kept interval, most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    old     uuid[];
    notices bigint;
BEGIN
    PERFORM content.check_age(kept);
    old := array(
        SELECT n.id FROM content.notice n WHERE n.made_at < content.now() - kept
        ORDER BY n.made_at LIMIT most FOR UPDATE SKIP LOCKED);
    DELETE FROM content.delivery d WHERE d.notice = ANY (old);
    DELETE FROM content.notice n WHERE n.id = ANY (old);
    GET DIAGNOSTICS notices = ROW_COUNT;
    RETURN notices;
END $$;
