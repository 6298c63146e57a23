-- Writes one row for the plain jobs of a claim, which has them locked, and leaves out whom another
-- claim row speaks for. That must be asked here, in a statement behind the locks: two claims may
-- have met the same job, and a claim leaves no new version of it to be found by who waited. Whoever
-- has locked a job since is the only one who can, and sees every claim row that was written before.
-- `folded` are the places whom the new row speaks for, in its order; `left_over` those that are to
-- be claimed one by one.
CREATE OR REPLACE FUNCTION tenure.fold_claim(
    session bigint, wanted_queue text, places tid[], ids uuid[], made timestamptz[],
    plain boolean[], seen bigint[], passed bigint,
    OUT left_over tid[], OUT folded tid[], OUT number bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    unseen bigint[] := array(
        SELECT c.number FROM tenure.claim_row c
        WHERE c.queue = wanted_queue AND c.number <> ALL (seen)
          AND (c.session_id <> session OR c.number > passed));
BEGIN
    IF unseen <> '{}' THEN
        SELECT array_agg(t.place), array_agg(t.id), array_agg(t.made), array_agg(t.plain)
        INTO places, ids, made, plain
        FROM unnest(places, ids, made, plain) AS t (place, id, made, plain)
        WHERE NOT t.plain OR (t.id, t.made) NOT IN (
            SELECT f.job_id, f.made FROM tenure.folded_run f WHERE f.number = ANY (unseen));
    END IF;
    IF true = ALL (plain) THEN
        folded := places;
        left_over := '{}';
    ELSE
        SELECT array_agg(t.place) FILTER (WHERE t.plain), array_agg(t.id) FILTER (WHERE t.plain),
               array_agg(t.made) FILTER (WHERE t.plain),
               array_agg(t.place) FILTER (WHERE NOT t.plain)
        INTO folded, ids, made, left_over
        FROM unnest(places, ids, made, plain) AS t (place, id, made, plain);
    END IF;
    IF folded IS NULL THEN
        folded := '{}';
        RETURN;
    END IF;
    -- Whole steps, should somebody have set the sequence.
    number := tenure.claim_of(nextval('tenure.fence'));
    INSERT INTO tenure.claim_row (number, session_id, claimed_at, queue, ids, made)
    VALUES (number, session, clock_timestamp(), wanted_queue, ids, made);
END $$;

-- Fewer than this are written one by one: a claim row costs as much as some of them.
CREATE OR REPLACE FUNCTION tenure.least_folded() RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT 16 $$;
