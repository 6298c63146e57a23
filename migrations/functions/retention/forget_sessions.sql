-- Forgets sessions that have been over for a week, and notes of theirs that came late.
CREATE OR REPLACE FUNCTION tenure.forget_sessions() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH gone AS (
        DELETE FROM tenure.session s
        WHERE s.reclaimed_at < clock_timestamp() - interval '7 days' RETURNING s.id
    )
    DELETE FROM tenure.session_begun b WHERE b.session_id IN (SELECT g.id FROM gone g);
END $$;
