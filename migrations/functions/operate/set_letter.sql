-- Sets where letters of a kind's or a queue's discarded jobs go; without `letter_kind` the address
-- is taken away, and what a kind's code says comes back with the next worker that starts. Returns
-- whether anything was set or taken away.
-- Locks: the address alone.
CREATE OR REPLACE FUNCTION tenure.set_letter(
    thing text, name text, letter_kind text, letter_queue text DEFAULT NULL,
    by_whom text DEFAULT NULL, note jsonb DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
#variable_conflict use_variable
DECLARE
    whom CONSTANT text := left(coalesce(nullif(by_whom, ''), session_user::text), 256);
BEGIN
    IF thing IN ('kind', 'queue') IS NOT TRUE THEN
        RAISE EXCEPTION 'letters are of a kind or a queue, not of "%"', left(thing, 64)
            USING ERRCODE = 'TN003';
    END IF;
    PERFORM tenure.check_name(thing, name, 128);
    IF letter_kind IS NULL THEN
        DELETE FROM tenure.dead_letter d
        WHERE d.thing = set_letter.thing AND d.name = set_letter.name;
    ELSE
        PERFORM tenure.check_letter(thing, name, letter_kind, letter_queue);
        IF EXISTS (SELECT FROM tenure.dead_letter d WHERE thing = 'kind'
                     AND (d.letter_kind = name OR d.thing = 'kind'
                          AND d.name = set_letter.letter_kind)) THEN
            RAISE EXCEPTION 'kind % would be a letter, and have letters', CASE
                    WHEN EXISTS (SELECT FROM tenure.dead_letter d WHERE d.letter_kind = name)
                    THEN name ELSE letter_kind END
                USING ERRCODE = 'TN003', HINT = 'of letters none are written';
        END IF;
        INSERT INTO tenure.dead_letter AS d (thing, name, letter_kind, letter_queue, set_by)
        VALUES (thing, name, letter_kind, letter_queue, whom)
        ON CONFLICT ON CONSTRAINT dead_letter_pkey DO UPDATE
        SET letter_kind = EXCLUDED.letter_kind, letter_queue = EXCLUDED.letter_queue,
            priority = CASE WHEN d.letter_kind = EXCLUDED.letter_kind THEN d.priority ELSE 5 END,
            max_attempts = CASE WHEN d.letter_kind = EXCLUDED.letter_kind THEN d.max_attempts
                                ELSE 25 END,
            payload_version = CASE WHEN d.letter_kind = EXCLUDED.letter_kind
                                   THEN d.payload_version ELSE 1 END,
            set_by = EXCLUDED.set_by, set_at = clock_timestamp();
    END IF;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM tenure.note_action(
        'letter', thing, jsonb_strip_nulls(jsonb_build_object(
            'name', name, 'kind', letter_kind, 'queue', letter_queue)), NULL, by_whom, note);
    RETURN true;
END $$;
