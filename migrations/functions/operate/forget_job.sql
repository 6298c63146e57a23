-- Forgets a job: what it was about, what came of it, and what its runs have left is deleted, with
-- its letter and whatever repeats them. What stays says nothing of them: that a batch or a waiter
-- had such a job, and how it ended. The act is noted without ids and filter: how many, by whom.
-- With `cancels` an unfinished one is cancelled first; one that runs, or whose letter does, stays
-- as it is. Answers forgotten, unfinished, running or unknown.
-- Locks: as everywhere: the finished job with its letters, their batches, its subject, the jobs,
-- then the ends that are kept for waiters.
CREATE OR REPLACE FUNCTION tenure.forget_job(
    job uuid, cancels boolean DEFAULT false, by_whom text DEFAULT NULL, note jsonb DEFAULT NULL)
RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    became CONSTANT text := tenure.forget_one(job, cancels, by_whom);
BEGIN
    IF became = 'forgotten' THEN
        PERFORM tenure.note_action('forget', 'job', '{}', 1, by_whom, note);
    END IF;
    RETURN became;
END $$;

-- The same, as one of many that are noted together.
CREATE OR REPLACE FUNCTION tenure.forget_one(job uuid, cancels boolean, by_whom text) RETURNS text
LANGUAGE plpgsql SET lock_timeout = '2s'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    told        uuid[];
    found_state tenure.job_state;
    one         uuid;
    unfinished  uuid[];
BEGIN
    -- What an old snapshot doesn't show would be left.
    PERFORM tenure.require_read_committed('forgetting');
    PERFORM tenure.require_durable_commit();
    -- Once more where it ended, or a letter was run again, while its locks were waited for.
    LOOP
        told := tenure.told_of(job);
        PERFORM FROM (
            SELECT h.id FROM unnest(told) AS t (id) JOIN tenure.job_history h ON h.id = t.id
            ORDER BY h.id FOR UPDATE OF h) AS h;
        PERFORM FROM tenure.ended_batches(told) AS b;
        PERFORM tenure.lock_subjects(told, NULL, true);
        unfinished := '{}';
        FOREACH one IN ARRAY told LOOP
            found_state := tenure.lock_job(one);
            IF found_state = 'running' THEN
                RETURN 'running';
            ELSIF found_state IS NOT NULL THEN
                unfinished := unfinished || one;
            END IF;
        END LOOP;
        EXIT WHEN tenure.told_of(job) = told;
    END LOOP;
    IF unfinished <> '{}' AND NOT cancels THEN
        RETURN 'unfinished';
    ELSIF unfinished = '{}' AND NOT EXISTS (
            SELECT FROM tenure.job_history h WHERE h.id = job) THEN
        RETURN 'unknown';
    END IF;
    PERFORM tenure.move_pending(unfinished, 'cancelled', by_whom) WHERE unfinished <> '{}';
    UPDATE tenure.batch r
    SET follow_up = NULL, refused = CASE WHEN r.refused IS NOT NULL THEN 'forgotten' END
    WHERE r.id = ANY (array(SELECT b.id FROM tenure.ended_batches(told) AS b));
    FOREACH one IN ARRAY told LOOP
        PERFORM tenure.erase_end(one);
        PERFORM tenure.delete_one(one);
        DELETE FROM tenure.job_progress p WHERE p.job_id = one;
    END LOOP;
    RETURN 'forgotten';
END $$;

-- A job and its letters, with those that were run again in a letter's stead, the oldest first.
CREATE OR REPLACE FUNCTION tenure.told_of(job uuid) RETURNS uuid[]
LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    WITH RECURSIVE told (id, is_letter) AS (
        SELECT told_of.job, false
        UNION
        SELECT n.id, true FROM told t
        CROSS JOIN LATERAL (
            SELECT h.letter_id, CASE WHEN t.is_letter THEN h.retried_as END AS retried_as
            FROM tenure.job_history h WHERE h.id = t.id OFFSET 0) AS h
        CROSS JOIN LATERAL unnest(ARRAY[h.letter_id, h.retried_as]) AS n (id)
        WHERE n.id IS NOT NULL
    )
    SELECT array(SELECT DISTINCT t.id FROM told t ORDER BY t.id)
$$;

-- Those of their batches that have ended, locked, by id: what their ends enqueued is kept for
-- nobody.
CREATE OR REPLACE FUNCTION tenure.ended_batches(ids uuid[]) RETURNS SETOF tenure.batch
LANGUAGE sql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    SELECT r.* FROM (
        SELECT DISTINCT h.batch_id FROM unnest(ids) AS i (id) CROSS JOIN LATERAL (
            SELECT h.batch_id FROM tenure.job_history h WHERE h.id = i.id OFFSET 0) AS h
        WHERE h.batch_id IS NOT NULL ORDER BY 1) AS h
    CROSS JOIN LATERAL (
        SELECT r.* FROM tenure.batch r WHERE r.id = h.batch_id AND r.ended_at IS NOT NULL
        FOR NO KEY UPDATE) AS r
$$;

-- Whether it can be forgotten without waiting for anybody; what it takes is locked then.
CREATE OR REPLACE FUNCTION tenure.is_free(job uuid) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    told CONSTANT uuid[] := tenure.told_of(job);
    open CONSTANT uuid[] := array(
        SELECT DISTINCT h.batch_id FROM unnest(told) AS t (id)
        JOIN tenure.job_history h ON h.id = t.id WHERE h.batch_id IS NOT NULL);
BEGIN
    RETURN (SELECT count(*) FROM tenure.job_history h WHERE h.id = ANY (told)) = (
            SELECT count(*) FROM (
                SELECT FROM tenure.job_history h WHERE h.id = ANY (told)
                FOR UPDATE SKIP LOCKED) AS f)
       AND (SELECT count(*) FROM tenure.batch r WHERE r.id = ANY (open)
                AND r.ended_at IS NOT NULL) = (
            SELECT count(*) FROM (
                SELECT FROM tenure.batch r WHERE r.id = ANY (open) AND r.ended_at IS NOT NULL
                FOR NO KEY UPDATE SKIP LOCKED) AS f)
       AND (SELECT count(*) FROM tenure.job j WHERE j.id = ANY (told)) = (
            SELECT count(*) FROM (
                SELECT FROM tenure.job j WHERE j.id = ANY (told)
                FOR UPDATE SKIP LOCKED) AS f);
END $$;

-- Those that waited for it keep how it ended, and not what it said.
CREATE OR REPLACE FUNCTION tenure.erase_end(job uuid) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    chain uuid[];
BEGIN
    UPDATE tenure.job_end e SET result = NULL, reason = NULL
    WHERE e.id = erase_end.job AND (e.result IS NOT NULL OR e.reason IS NOT NULL);
    chain := array(
        WITH RECURSIVE chain (id) AS (
            SELECT a.job_id FROM tenure.job_after a WHERE a.needs = erase_end.job
            UNION
            SELECT a.job_id FROM chain c CROSS JOIN LATERAL (
                SELECT a.job_id FROM tenure.job_after a WHERE a.needs = c.id OFFSET 0) AS a)
        SELECT c.id FROM chain c ORDER BY c.id);
    IF chain = '{}' THEN
        RETURN;
    END IF;
    UPDATE tenure.job_end e
    SET root_reason = NULL,
        reason = tenure.without_cause(e.reason, erase_end.job)
    WHERE e.id = ANY (chain) AND e.root_id = erase_end.job;
    UPDATE tenure.job_history h SET reason = tenure.without_cause(h.reason, erase_end.job)
    WHERE h.id = ANY (chain) AND starts_with(h.reason, 'after: job ' || erase_end.job);
END $$;

-- A reason that `after_reason` has written, without what the first cause said.
CREATE OR REPLACE FUNCTION tenure.without_cause(reason text, cause uuid) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN starts_with(reason, 'after: job ' || cause)
                THEN regexp_replace(reason, '^(after: [^:]*).*$', '\1') ELSE reason END
$$;
