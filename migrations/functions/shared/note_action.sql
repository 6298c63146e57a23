-- Writes down who did what, in the transaction of the act. Called last, with all else locked: the
-- row is the act's own, and is waited for by nobody but its next bite.
--
-- `note` is what the caller may say besides: `source` (cli, library, console; all else is sql),
-- `reason`, `act` (the id of an act that goes in bites: they add up in one row, which shows the
-- first hundred ids), `filter` (what a bulk was for). Nothing of it can keep the act from being
-- noted: texts are cut, and an act of somebody else's is no act of one's own.
CREATE OR REPLACE FUNCTION tenure.note_action(
    verb text, thing text, about jsonb, jobs bigint, by_whom text, note jsonb DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    act    uuid := gen_random_uuid();
    whom   CONSTANT text := left(coalesce(nullif(by_whom, ''), session_user::text), 256);
    source CONSTANT text := CASE WHEN note ->> 'source' IN ('cli', 'library', 'console')
                                 THEN note ->> 'source' ELSE 'sql' END;
    moment CONSTANT timestamptz := clock_timestamp();
BEGIN
    IF note ->> 'act' ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' THEN
        act := note ->> 'act';
    END IF;
    IF octet_length(about::text) > 16384 THEN
        about := jsonb_build_object('bytes', octet_length(about::text));
    END IF;
    FOR attempt IN 1..2 LOOP
        INSERT INTO tenure.action AS a
            (id, at, last_at, jobs, verb, thing, whom, source, role, reason, about)
        VALUES (act, least(transaction_timestamp(), moment), moment, jobs, left(verb, 64),
                left(thing, 64), whom, source, session_user, left(note ->> 'reason', 1024),
                coalesce(about, '{}'))
        ON CONFLICT (id) DO UPDATE
        SET last_at = greatest(a.last_at, EXCLUDED.last_at), jobs = a.jobs + EXCLUDED.jobs,
            about = CASE WHEN jsonb_array_length(a.about -> 'ids')
                            + jsonb_array_length(EXCLUDED.about -> 'ids') <= 100
                         THEN jsonb_set(a.about, '{ids}', (a.about -> 'ids')
                                                          || (EXCLUDED.about -> 'ids'))
                         ELSE a.about END
        WHERE (a.verb, a.thing, a.whom, a.source, a.role)
            = (EXCLUDED.verb, EXCLUDED.thing, EXCLUDED.whom, EXCLUDED.source, EXCLUDED.role);
        EXIT WHEN FOUND;
        act := gen_random_uuid();
    END LOOP;
END $$;

-- The same of a verb for jobs, as far as it has changed any. Of more than a hundred it says how
-- many they were.
CREATE OR REPLACE FUNCTION tenure.note_jobs(verb text, ids uuid[], by_whom text, note jsonb)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(ids) > 0 THEN
        PERFORM tenure.note_action(
            verb, 'job', CASE WHEN jsonb_typeof(note -> 'filter') = 'object'
                              THEN jsonb_build_object('filter', note -> 'filter')
                              ELSE jsonb_build_object('ids', to_jsonb(ids[1:100])) END,
            cardinality(ids), by_whom, note);
    END IF;
END $$;
