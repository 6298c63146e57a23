-- Keeps how jobs ended that nobody waited for then: as history has it, for those who ask now.
CREATE OR REPLACE FUNCTION tenure.keep_ends(ids uuid[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM tenure.hold_past(ids);
    INSERT INTO tenure.job_end (id, made, outcome, ended_at, is_settled, result, reason)
    SELECT h.id, h.created_at, h.outcome, h.finished_at, true, h.result, h.reason
    FROM (SELECT DISTINCT i.id FROM unnest(ids) AS i (id) ORDER BY i.id) AS i
    CROSS JOIN LATERAL (
        SELECT h.* FROM tenure.job_history h WHERE h.id = i.id
        ORDER BY h.finished_at DESC LIMIT 1) AS h
    -- One that is there may be in somebody's hands: it is no matter for those who ask.
    WHERE NOT EXISTS (
        SELECT FROM tenure.job_end e WHERE e.id = h.id AND e.made = h.created_at OFFSET 0)
    ON CONFLICT (id, made) DO NOTHING;
END $$;

-- Locks what is about to be copied, in history: nobody deletes or forgets it before the caller's
-- transaction is over. Who does so just now waits for nobody, and is waited for, though not for
-- long: he may have a key of the caller's for his next verb. Then the caller is to try again
-- (40001).
CREATE OR REPLACE FUNCTION tenure.hold_past(ids uuid[]) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '500ms'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM FROM (SELECT DISTINCT i.id FROM unnest(ids) AS i (id) ORDER BY i.id) AS i
    CROSS JOIN LATERAL (
        SELECT FROM tenure.job_history h
        WHERE h.id = i.id AND NOT EXISTS (
            SELECT FROM tenure.job_end e WHERE e.id = h.id AND e.made = h.created_at OFFSET 0)
        FOR KEY SHARE OF h) AS l;
EXCEPTION WHEN lock_not_available THEN
    PERFORM tenure.refuse_gone();
END $$;

-- Keeps them, and locks them: they are forgotten no more before the caller's transaction is over.
-- One that was just being forgotten is kept once more, if history knows it still.
CREATE OR REPLACE FUNCTION tenure.hold_ends(ids uuid[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM tenure.keep_ends(ids);
    PERFORM tenure.share_ends(ids);
    PERFORM tenure.keep_ends(ids);
END $$;

-- Who forgets one just now is waited for, as in `hold_past`.
CREATE OR REPLACE FUNCTION tenure.share_ends(ids uuid[]) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '500ms'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM FROM (SELECT DISTINCT i.id FROM unnest(ids) AS i (id) ORDER BY i.id) AS i
    CROSS JOIN LATERAL (
        SELECT FROM tenure.job_end e WHERE e.id = i.id ORDER BY e.made FOR KEY SHARE) AS l;
EXCEPTION WHEN lock_not_available THEN
    PERFORM tenure.refuse_gone();
END $$;

CREATE OR REPLACE FUNCTION tenure.refuse_gone() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE serialization_failure USING
        MESSAGE = 'a job that is waited for is just being deleted or forgotten',
        HINT = 'Try again once the transaction that does so is over.';
END $$;

-- Writes down how pending jobs ended that others wait for: they are in history just now.
CREATE OR REPLACE FUNCTION tenure.note_past(ids uuid[], times timestamptz[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    INSERT INTO tenure.job_end (id, made, outcome, reason)
    SELECT h.id, h.created_at, h.outcome, h.reason
    FROM (SELECT u.* FROM unnest(ids, times) AS u (id, made) ORDER BY u.id) AS u
    CROSS JOIN LATERAL (
        SELECT h.* FROM tenure.job_history h
        WHERE h.id = u.id AND h.created_at = u.made
        ORDER BY h.finished_at DESC LIMIT 1) AS h
    ON CONFLICT (id, made) DO NOTHING;
END $$;

-- The same for runs, by what was decided of them; returns whose ends it wrote down.
CREATE OR REPLACE FUNCTION tenure.note_decided(
    decisions tenure.decision[], locked tenure.job[]) RETURNS uuid[]
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    noted uuid[];
BEGIN
    WITH written AS (
        INSERT INTO tenure.job_end (id, made, outcome, result, reason)
        SELECT l.id, l.created_at, d.became::tenure.job_outcome, d.result, d.reason
        FROM unnest(decisions) AS d JOIN unnest(locked) AS l ON l.id = d.id
        WHERE l.has_waiters AND d.became IN ('completed', 'discarded', 'cancelled', 'superseded')
        ORDER BY l.id
        ON CONFLICT (id, made) DO NOTHING
        RETURNING id
    )
    SELECT coalesce(array_agg(w.id), '{}') INTO noted FROM written w;
    RETURN noted;
END $$;

-- Writes down that jobs were completed for which others wait, whose rows the caller has just
-- deleted; returns those whose ends are to be settled. Of several that one and the same job waits
-- for, and nobody else, that is one: it is settled once all of them are committed, and whoever does
-- so sees them all. So ten thousand that end in groups are not settled one by one.
--
-- Who waits is asked behind the deletions: whoever wrote an edge has kept the row until his commit,
-- and is seen. An old snapshot would not show him.
CREATE OR REPLACE FUNCTION tenure.note_completed(ids uuid[], times timestamptz[]) RETURNS uuid[]
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_nestloop = on AS $$
#variable_conflict use_column
DECLARE
    is_fresh CONSTANT boolean := NOT tenure.keeps_snapshot();
    awaited  uuid[];
    written  integer;
BEGIN
    IF ids IS NULL THEN
        RETURN '{}';
    END IF;
    WITH waited_for AS (
        SELECT u.id, u.made,
               CASE WHEN is_fresh AND cardinality(w.ids) = 1 THEN w.ids[1] END AS sole
        FROM unnest(ids, times) AS u (id, made)
        CROSS JOIN LATERAL (
            SELECT array(SELECT a.job_id FROM tenure.job_after a
                         WHERE a.needs = u.id AND a.made = u.made LIMIT 2) AS ids) AS w
    ), written AS (
        INSERT INTO tenure.job_end (id, made, outcome, is_settled)
        SELECT w.id, w.made, 'completed',
               w.sole IS NOT NULL AND row_number() OVER (PARTITION BY w.sole ORDER BY w.id) > 1
        FROM waited_for w
        ON CONFLICT (id, made) DO NOTHING
        RETURNING id, is_settled
    )
    SELECT coalesce(array_agg(w.id) FILTER (WHERE NOT w.is_settled), '{}'), count(*)
    INTO awaited, written FROM written w;
    IF written < cardinality(ids) THEN
        -- A hand on the tables has left one, which may be the one that was to tell.
        UPDATE tenure.job_end e SET is_settled = false
        FROM unnest(ids, times) AS u (id, made) WHERE e.id = u.id AND e.made = u.made;
        awaited := ids;
    END IF;
    RETURN awaited;
END $$;
