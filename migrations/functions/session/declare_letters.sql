-- Where the letters of kinds go, as the code of a worker says: an object for each kind that says
-- so, with kind, queue, priority, max_attempts and payload_version. The worker that opened last
-- counts.
-- What an operator has set stays, and so does what a worker doesn't mention: it may be of an older
-- release, and letters would be lost without a word.
CREATE OR REPLACE FUNCTION tenure.declare_letters(letters jsonb) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
    known CONSTANT text[] := '{kind, queue, priority, max_attempts, payload_version}';
    odd   record;
BEGIN
    SELECT l.kind, f.name INTO odd FROM jsonb_each(letters) AS l (kind, letter)
    CROSS JOIN LATERAL jsonb_object_keys(l.letter - known) AS f (name) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the letters of kind % have the field "%", which is unknown',
            left(odd.kind, 128), left(odd.name, 128)
            USING ERRCODE = 'TN003', HINT = 'use ' || array_to_string(known, ', ');
    END IF;
    PERFORM tenure.check_name('kind', l.kind, 128),
            tenure.check_letter('kind', l.kind, l.letter ->> 'kind', l.letter ->> 'queue')
    FROM jsonb_each(letters) AS l (kind, letter);
    INSERT INTO tenure.dead_letter AS d (
        thing, name, letter_kind, letter_queue, priority, max_attempts, payload_version)
    SELECT 'kind', l.kind, w.kind, w.queue, coalesce(w.priority, 5), coalesce(w.max_attempts, 25),
           coalesce(w.payload_version, 1)
    FROM jsonb_each(letters) AS l (kind, letter)
    CROSS JOIN LATERAL jsonb_to_record(l.letter) AS w (
        kind text, queue text, priority smallint, max_attempts integer, payload_version smallint)
    -- What is there already isn't locked: somebody may have it in an open transaction.
    WHERE NOT EXISTS (
        SELECT FROM tenure.dead_letter s
        WHERE s.thing = 'kind' AND s.name = l.kind AND (s.set_by IS NOT NULL OR (
            s.letter_kind, s.letter_queue, s.priority, s.max_attempts, s.payload_version)
            IS NOT DISTINCT FROM (w.kind, w.queue, coalesce(w.priority, 5),
                                  coalesce(w.max_attempts, 25), coalesce(w.payload_version, 1))))
    ORDER BY l.kind
    ON CONFLICT (thing, name) DO UPDATE
    SET letter_kind = EXCLUDED.letter_kind, letter_queue = EXCLUDED.letter_queue,
        priority = EXCLUDED.priority, max_attempts = EXCLUDED.max_attempts,
        payload_version = EXCLUDED.payload_version, set_at = clock_timestamp()
    WHERE d.set_by IS NULL;
END $$;

-- Refuses an address that no letter could have.
CREATE OR REPLACE FUNCTION tenure.check_letter(
    thing text, name text, letter_kind text, letter_queue text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.check_name('the kind of letters', letter_kind, 128);
    PERFORM tenure.check_name('the queue of letters', letter_queue, 128)
    WHERE letter_queue IS NOT NULL;
    IF thing = 'kind' AND name = letter_kind THEN
        RAISE EXCEPTION 'letters of kind % would be of kind % themselves', name, letter_kind
            USING ERRCODE = 'TN003', HINT = 'give them a kind of their own';
    END IF;
END $$;
