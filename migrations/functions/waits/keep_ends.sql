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
