-- Ends a session by its own will. Whatever it still runs is reclaimed like a dead one's.
CREATE OR REPLACE FUNCTION tenure.close_session(session bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tenure.session s WHERE s.id = session AND s.ended_at IS NULL FOR UPDATE;
    UPDATE tenure.session s SET ended_at = clock_timestamp(), died = false
    WHERE s.id = session AND s.ended_at IS NULL;
    RETURN FOUND;
END $$;
