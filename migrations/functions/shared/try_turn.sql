-- Whether the caller has the turn, until its transaction ends. Nobody is waited for.
CREATE OR REPLACE FUNCTION tenure.try_turn(wanted text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tenure.turn t WHERE t.name = wanted FOR UPDATE SKIP LOCKED;
    RETURN FOUND;
END $$;
