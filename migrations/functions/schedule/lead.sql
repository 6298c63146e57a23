-- Takes the lead if nobody has it, or if its holder's session is over; keeps it if it is ours.
-- Returns the term, or null when another session leads.
CREATE OR REPLACE FUNCTION tenure.lead(role text, candidate bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    held tenure.leader;
BEGIN
    PERFORM FROM tenure.session s WHERE s.id = candidate AND s.ended_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'session % is over', candidate USING ERRCODE = 'TN002',
            HINT = 'open a new session';
    END IF;
    INSERT INTO tenure.leader (name, session) VALUES (role, candidate) ON CONFLICT DO NOTHING;
    SELECT * INTO held FROM tenure.leader l WHERE l.name = role FOR NO KEY UPDATE;
    IF held.session = candidate THEN
        RETURN held.term;
    END IF;
    IF EXISTS (SELECT FROM tenure.session s WHERE s.id = held.session AND s.ended_at IS NULL) THEN
        RETURN NULL;
    END IF;
    UPDATE tenure.leader l SET session = candidate, term = l.term + 1, since = clock_timestamp()
    WHERE l.name = role;
    RETURN held.term + 1;
END $$;
