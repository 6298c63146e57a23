-- Declares a session dead whose beat stood still for its whole lease on the watcher's clock:
-- only if the beat is still the one that was watched.
CREATE OR REPLACE FUNCTION tenure.declare_dead(session bigint, watched_beat bigint, watcher bigint)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tenure.session s
    WHERE s.id = session AND s.beat = watched_beat AND s.ended_at IS NULL FOR UPDATE;
    UPDATE tenure.session s
    SET ended_at = clock_timestamp(), died = true, ended_by = watcher
    WHERE s.id = session AND s.beat = watched_beat AND s.ended_at IS NULL;
    RETURN FOUND;
END $$;
