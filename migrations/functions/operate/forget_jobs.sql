-- Forgets jobs: what they were about, what came of them and what their runs have left is deleted,
-- with their letters and whatever quotes them. What stays says nothing of that: that a batch or a
-- waiter had such a job, and how it ended. The act is noted without ids and filter: how many, by
-- whom, and why.
--
-- Why it waits for nobody: a job is in many hands, those who wait for it and those who were told of
-- it, in any order. So each is forgotten whole, or is `busy` and as it was: what somebody else has
-- locked just then, or comes in meanwhile, is a reason to try again, and no circle can arise.
--   * Who copies how a job ended, for those that are about to wait for it, has it locked: its row
--     in history (`hold_past`), or the end that is kept. So nothing is copied beside a forgetting.
--   * What is locked is looked at again: who was in time is seen, who comes later finds nothing.
-- Locks: subjects, jobs, finished jobs, ends, batches: none of them is waited for.

-- Answers forgotten, unfinished (with `cancels` such a job is cancelled first), running (it, or its
-- letter: it stays), busy, or unknown, for each; one that went with another of the call is
-- forgotten, too.
CREATE OR REPLACE FUNCTION tenure.forget_jobs(
    ids uuid[], cancels boolean DEFAULT false, by_whom text DEFAULT NULL, note jsonb DEFAULT NULL)
RETURNS TABLE (id uuid, became text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    told  uuid[];
    gone  uuid[] := '{}';
    total bigint := 0;
BEGIN
    -- What an old snapshot doesn't show would be left.
    PERFORM tenure.require_read_committed('forgetting');
    PERFORM tenure.require_durable_commit();
    IF cardinality(ids) > 1000 THEN
        RAISE EXCEPTION '% jobs are to be forgotten at once', cardinality(ids)
            USING ERRCODE = 'TN003', HINT = 'give at most 1000, and the others after a COMMIT';
    END IF;
    FOR id IN SELECT DISTINCT u.id FROM unnest(ids) AS u (id) WHERE u.id IS NOT NULL ORDER BY 1
    LOOP
        IF id = ANY (gone) THEN
            became := 'forgotten';
        ELSE
            told := tenure.told_of(id);
            became := tenure.forget_told(id, told, coalesce(cancels, false), by_whom);
        END IF;
        IF became = 'forgotten' THEN
            gone := gone || told;
            total := total + 1;
        END IF;
        RETURN NEXT;
    END LOOP;
    -- Not of what: the ids and the filter would tell.
    PERFORM tenure.note_action('forget', 'job', '{}', total, by_whom, note) WHERE total > 0;
END $$;

-- The same for one.
CREATE OR REPLACE FUNCTION tenure.forget_job(
    job uuid, cancels boolean DEFAULT false, by_whom text DEFAULT NULL, note jsonb DEFAULT NULL)
RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    RETURN coalesce((SELECT f.became FROM tenure.forget_jobs(
        ARRAY[job], cancels, by_whom, note) AS f), 'unknown');
END $$;

-- A job and its letters, with those that were run again in a letter's stead, by id.
CREATE OR REPLACE FUNCTION tenure.told_of(job uuid) RETURNS uuid[]
LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    SELECT array(SELECT told_of.job UNION
                 SELECT l.letter_id FROM tenure.job_letter l WHERE l.job_id = told_of.job
                 ORDER BY 1)
$$;

-- Forgets a job with all that is told of it, or leaves all as it is.
CREATE OR REPLACE FUNCTION tenure.forget_told(
    job uuid, told uuid[], cancels boolean, by_whom text) RETURNS text
LANGUAGE plpgsql SET lock_timeout = '50ms' AS $$
DECLARE
    pending  uuid[];
    is_known boolean;
    one      uuid;
BEGIN
    pending := tenure.lock_told(told);
    IF pending IS NULL THEN
        RETURN 'running';
    ELSIF pending <> '{}' AND NOT cancels THEN
        RETURN 'unfinished';
    ELSIF tenure.told_of(job) <> told THEN
        RAISE lock_not_available;
    END IF;
    is_known := pending <> '{}';
    PERFORM tenure.move_pending(pending, 'cancelled', by_whom) WHERE is_known;
    PERFORM tenure.erase_follow_ups(told);
    FOREACH one IN ARRAY told LOOP
        is_known := tenure.erase_quotes(one) OR is_known;
        is_known := tenure.erase_end(one) OR is_known;
        is_known := tenure.clear_job(one) OR is_known;
    END LOOP;
    DELETE FROM tenure.job_letter l WHERE l.job_id = ANY (told) OR l.letter_id = ANY (told);
    RETURN CASE WHEN is_known THEN 'forgotten' ELSE 'unknown' END;
EXCEPTION WHEN lock_not_available THEN
    RETURN 'busy';
END $$;

-- Locks them, unfinished, finished, and as an end that is kept, and their keys; returns those that
-- are unfinished, null if one runs. In this order: one that isn't unfinished has a row in history
-- already, or never will.
CREATE OR REPLACE FUNCTION tenure.lock_told(told uuid[]) RETURNS uuid[]
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    found_state tenure.job_state;
    pending     uuid[] := '{}';
    one         uuid;
BEGIN
    IF tenure.lock_subjects(told, NULL, false) <> '{}' THEN
        RAISE lock_not_available;
    END IF;
    FOREACH one IN ARRAY told LOOP
        PERFORM FROM tenure.job j WHERE j.id = one FOR UPDATE NOWAIT;
        found_state := tenure.lock_job(one);
        IF found_state = 'running' THEN
            RETURN NULL;
        ELSIF found_state IS NOT NULL THEN
            pending := pending || one;
        END IF;
        PERFORM FROM tenure.job_history h WHERE h.id = one FOR UPDATE NOWAIT;
        PERFORM FROM tenure.job_end e WHERE e.id = one FOR UPDATE NOWAIT;
    END LOOP;
    RETURN pending;
END $$;

-- What the ends of their batches enqueue: of one that is over it is kept for nobody, and of one
-- that is open it won't be.
CREATE OR REPLACE FUNCTION tenure.erase_follow_ups(ids uuid[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    batches uuid[] := array(
        SELECT r.id FROM (
            SELECT DISTINCT h.batch_id FROM unnest(ids) AS i (id) CROSS JOIN LATERAL (
                SELECT h.batch_id FROM tenure.job_history h WHERE h.id = i.id OFFSET 0) AS h
            WHERE h.batch_id IS NOT NULL ORDER BY 1) AS h
        CROSS JOIN LATERAL (
            SELECT r.id FROM tenure.batch r
            WHERE r.id = h.batch_id AND r.follow_up IS NOT NULL
              AND (r.ended_at IS NOT NULL OR NOT r.has_forgotten)
            FOR NO KEY UPDATE NOWAIT) AS r);
BEGIN
    UPDATE tenure.batch r
    SET has_forgotten = true, follow_up = CASE WHEN r.ended_at IS NULL THEN r.follow_up END,
        refused = CASE WHEN r.refused IS NOT NULL THEN 'one of its jobs was forgotten' END
    WHERE r.id = ANY (batches);
END $$;

-- Those that waited for it keep how it ended, and not what it said; where it was cancelled for
-- another's end, which one, since that one's reason may be quoted by way of it. Whether it said
-- anything.
CREATE OR REPLACE FUNCTION tenure.erase_end(job uuid) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    UPDATE tenure.job_end e
    SET result = NULL, root_reason = NULL,
        reason = substring(e.reason FROM tenure.cause_named() || '(?:: .*)?$')
    WHERE e.id = erase_end.job
      AND (e.result IS NOT NULL OR e.root_reason IS NOT NULL
           OR e.reason !~ (tenure.cause_named() || '$'));
    RETURN FOUND;
END $$;

-- What those that were cancelled because of it say of its reason, in their own; whether any did.
CREATE OR REPLACE FUNCTION tenure.erase_quotes(job uuid) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    quoting uuid[] := tenure.quoting(job);
BEGIN
    IF quoting = '{}' THEN
        RETURN false;
    END IF;
    -- Who is about to quote one of these in turn has it locked.
    PERFORM FROM unnest(quoting) AS f (id) CROSS JOIN LATERAL (
        SELECT FROM tenure.job_history h WHERE h.id = f.id FOR UPDATE NOWAIT) AS h;
    PERFORM FROM unnest(quoting) AS f (id) CROSS JOIN LATERAL (
        SELECT FROM tenure.job_end e WHERE e.id = f.id FOR UPDATE NOWAIT) AS e;
    IF tenure.quoting(job) <> quoting THEN
        RAISE lock_not_available;
    END IF;
    UPDATE tenure.job_history h SET reason = tenure.without_cause(h.reason, job)
    WHERE h.id = ANY (quoting) AND h.reason ~ tenure.quote_of(job);
    UPDATE tenure.job_end e
    SET reason = tenure.without_cause(e.reason, job),
        root_reason = CASE WHEN e.root_id = job THEN NULL
                           ELSE tenure.without_cause(e.root_reason, job) END
    WHERE e.id = ANY (quoting);
    RETURN true;
END $$;

-- All of an `after_reason` but what the cause said.
CREATE OR REPLACE FUNCTION tenure.cause_named() RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT '^(after: job [-0-9a-f]{36} was (?:completed|discarded|cancelled|superseded)'
        || '(?:, by way of [-0-9a-f, …more]+)?)'
$$;

-- How `after_reason` begins where it quotes this job's reason, alone or in that of another.
CREATE OR REPLACE FUNCTION tenure.quote_of(cause uuid) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT '(after: job ' || cause || ' was [^:]*): ' $$;

-- Whether a job's reason, or what is kept of its end, has the cause's own words.
CREATE OR REPLACE FUNCTION tenure.quotes(job uuid, cause uuid) RETURNS boolean
LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    SELECT EXISTS (SELECT FROM tenure.job_history h
                   WHERE h.id = quotes.job AND h.reason ~ tenure.quote_of(quotes.cause) OFFSET 0)
        OR EXISTS (SELECT FROM tenure.job_end e
                   WHERE e.id = quotes.job
                     AND (e.root_id = quotes.cause AND e.root_reason IS NOT NULL
                          OR e.root_reason ~ tenure.quote_of(quotes.cause)
                          OR e.reason ~ tenure.quote_of(quotes.cause)) OFFSET 0)
$$;

-- The jobs whose reasons quote the job's. One leads to the next by an edge; where the one between
-- has been deleted, the end that is kept of it says what it was cancelled for, and goes on saying
-- so where that one has been forgotten.
CREATE OR REPLACE FUNCTION tenure.quoting(job uuid) RETURNS uuid[]
LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    WITH RECURSIVE chain (id) AS (
        SELECT quoting.job
        UNION
        SELECT n.id FROM chain c CROSS JOIN LATERAL (
            SELECT a.job_id AS id, false AS leads_on
            FROM tenure.job_after a WHERE a.needs = c.id
            UNION ALL
            SELECT e.id, true FROM tenure.job_end e WHERE e.root_id = c.id
            UNION ALL
            SELECT e.id, e.reason ~ (tenure.cause_named() || '$') FROM tenure.job_end e
            WHERE starts_with(e.reason, 'after: job ')
              AND substr(e.reason, 12, 36) = c.id::text OFFSET 0) AS n
        WHERE n.leads_on OR tenure.quotes(n.id, quoting.job)
    )
    SELECT array(SELECT c.id FROM chain c
                 WHERE c.id <> quoting.job AND tenure.quotes(c.id, quoting.job) ORDER BY c.id)
$$;

-- A reason that `after_reason` has written, without what the cause said.
CREATE OR REPLACE FUNCTION tenure.without_cause(reason text, cause uuid) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT regexp_replace(reason, tenure.quote_of(cause) || '.*$', '\1')
$$;
