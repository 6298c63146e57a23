-- Circles that a newer job of a key closes: A waits for key k, and a new job of k waits for A.
--
-- Each edge of a circle is from a job to an older one, but for those from a wait for a key to a job
-- that came after it: one whose key had waiters as it was enqueued, and which waits itself. If a
-- circle has one such job, all others are older, and it sees them. If it has several, they come one
-- after the other, since they have a turn to the end of their transactions: the last sees them all.
-- All other jobs that wait need neither turn nor look.

-- Takes that turn, where one of these jobs may close a circle: whether it does. The subjects are
-- locked, so that nobody begins to wait for one of these keys.
CREATE OR REPLACE FUNCTION tenure.take_circle_turn(news tenure.new_job[]) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM unnest(news) AS n
        WHERE n.key IS NOT NULL AND n.waits IS NOT NULL AND EXISTS (
            SELECT FROM tenure.key_wait w
            WHERE w.kind = n.kind AND w.key = n.key AND w.is_open OFFSET 0))
       -- Within a call, too.
       AND NOT EXISTS (
        SELECT FROM unnest(news) AS n
        WHERE n.key IS NOT NULL AND n.waits IS NOT NULL AND (n.kind, n.key) IN (
            SELECT x.wait #>> '{key,kind}', x.wait #>> '{key,key}'
            FROM unnest(news) AS o CROSS JOIN LATERAL jsonb_array_elements(o.waits) AS x (wait)
            WHERE o.waits @> '[{"key": {}}]' AND x.wait ? 'key')) THEN
        RETURN false;
    END IF;
    -- An old snapshot doesn't show who waits.
    PERFORM tenure.require_read_committed(
        'an enqueue that waits, of a key that is waited for,');
    PERFORM FROM tenure.turn t WHERE t.name = 'key_circles' FOR UPDATE;
    RETURN true;
END $$;

-- Refuses new jobs, whose edges are written, that wait for themselves by way of keys.
CREATE OR REPLACE FUNCTION tenure.refuse_key_circle(ids uuid[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    most CONSTANT integer := 100000;
    met  CONSTANT uuid[] := array(
        WITH RECURSIVE met (id) AS (
            SELECT i.id FROM unnest(ids) AS i (id)
            UNION
            SELECT o.id FROM met m CROSS JOIN LATERAL tenure.open_needs(m.id) AS o (id)
        )
        SELECT m.id FROM met m LIMIT most + 1);
BEGIN
    IF cardinality(met) > most THEN
        RAISE EXCEPTION 'a job of a key that is waited for waits for more than % others, by way '
            'of each other', most
            USING ERRCODE = 'TN003', HINT = 'enqueue it when fewer of them are left';
    END IF;
    PERFORM tenure.refuse_circle(array(
        SELECT (m.id, o.id, NULL, false, NULL)::tenure.job_after
        FROM unnest(met) AS m (id) CROSS JOIN LATERAL tenure.open_needs(m.id) AS o (id)));
END $$;

-- The unfinished jobs that one waits for, itself or by a key: of that, all that may bring what it
-- waits for.
CREATE OR REPLACE FUNCTION tenure.open_needs(job uuid) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tenure.job j
                   WHERE j.id = open_needs.job AND j.waits_for_jobs AND j.state = 'waiting') THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT j.id
    FROM (SELECT a.needs, a.made FROM tenure.job_after a
          WHERE a.job_id = open_needs.job OFFSET 0) AS a
    CROSS JOIN LATERAL (
        SELECT j.id FROM tenure.job j WHERE j.id = a.needs AND j.created_at = a.made OFFSET 0) AS j
    UNION
    SELECT j.id
    FROM (SELECT a.needs FROM tenure.job_after a WHERE a.job_id = open_needs.job OFFSET 0) AS a
    CROSS JOIN LATERAL (
        SELECT w.* FROM tenure.key_wait w WHERE w.id = a.needs AND w.is_open OFFSET 0) AS w
    CROSS JOIN LATERAL (
        SELECT greatest(w.generation, s.floor, s.committed + 1) AS oldest
        FROM tenure.subject_of(w.kind, w.key) AS s) AS s
    CROSS JOIN LATERAL (
        SELECT j.id FROM tenure.job j
        WHERE j.kind = w.kind AND j.key = w.key AND j.generation >= s.oldest OFFSET 0) AS j;
END $$;
