-- Jobs that wait for a key: until it has committed the newest generation that it has now, or a
-- newer one.
--
-- Why: who needs what a key has come to doesn't know which of its jobs will bring that: a newer one
-- may take the place of the one that is there (docs/decisions/after.md).
--   * What is waited for is a row (`key_wait`), which edges need like a job. The key decides it.
--   * Who waits has the key's lock, and says in its subject that there is an open wait. So whoever
--     ends a job of the key sees it there, where he looks anyway.
--   * Whoever ends such a job, under the same lock, decides what can be decided (`decide_keys`),
--     and writes it down as the end of what is waited for. All else is done by `settle_ends`.
-- Locks: those of `enqueue_linked`; nobody decides without the key's.

-- Writes down what new jobs wait for where that is a key; returns the edges, with the time that
-- says which wait it is. The subjects are locked. What is decided already is written down so.
CREATE OR REPLACE FUNCTION tenure.enter_keys(news tenure.new_job[], answers tenure.enqueued[])
RETURNS tenure.job_after[]
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
    asked   tenure.key_wait[];
    unknown tenure.key_wait;
BEGIN
    IF NOT EXISTS (SELECT FROM unnest(news) AS n WHERE n.waits @> '[{"key": {}}]') THEN
        RETURN '{}';
    END IF;
    PERFORM tenure.drop_unused_locks(news);
    asked := array(
        SELECT (NULL, tenure.newest_of(k.kind, k.key), NULL, NULL, NULL, k.kind, k.key)
               ::tenure.key_wait
        FROM (SELECT DISTINCT x.wait #>> '{key,kind}' COLLATE "C" AS kind,
                     x.wait #>> '{key,key}' COLLATE "C" AS key
              FROM unnest(news) AS n
              CROSS JOIN LATERAL jsonb_array_elements(n.waits) AS x (wait)
              WHERE n.waits IS NOT NULL AND x.wait ? 'key' AND EXISTS (
                  SELECT FROM unnest(answers) AS a
                  WHERE a.ordinal = n.ordinal AND a.result = 'enqueued')
              ORDER BY 1, 2) AS k);
    IF asked = '{}' THEN
        RETURN '{}';
    END IF;
    SELECT u.* INTO unknown FROM unnest(asked) AS u WHERE u.generation IS NULL LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'a job waits for key "%" of kind "%", of which nothing is known',
            unknown.key, unknown.kind
            USING ERRCODE = 'TN003', HINT = 'enqueue a job of that key before, or with it; a key '
                'that was never enqueued, or that nobody has touched for longer than idle keys '
                'are kept, can''t be waited for';
    END IF;
    WITH added AS (
        INSERT INTO tenure.key_wait (id, kind, key, generation)
        SELECT tenure.new_id(), k.kind, k.key, k.generation FROM unnest(asked) AS k
        ON CONFLICT (kind, key, generation) DO NOTHING
        RETURNING kind, key
    )
    INSERT INTO tenure.subject AS s (kind, key, issued)
    SELECT a.kind, a.key, o.issued
    FROM added a CROSS JOIN LATERAL tenure.subject_of(a.kind, a.key) AS o
    ON CONFLICT (kind, key, issued) DO UPDATE
    SET is_awaited = true, touched_at = clock_timestamp();
    PERFORM tenure.decide_keys(
        array(SELECT k.kind FROM unnest(asked) AS k), array(SELECT k.key FROM unnest(asked) AS k));
    RETURN array(
        SELECT (e.job_id, w.id, w.made_at, false, NULL)::tenure.job_after
        FROM (SELECT DISTINCT a.id AS job_id, x.wait #>> '{key,kind}' AS kind,
                     x.wait #>> '{key,key}' AS key
              FROM unnest(news) AS n
              JOIN unnest(answers) AS a ON a.ordinal = n.ordinal AND a.result = 'enqueued'
              CROSS JOIN LATERAL jsonb_array_elements(n.waits) AS x (wait)
              WHERE n.waits IS NOT NULL AND x.wait ? 'key') AS e
        JOIN unnest(asked) AS k ON k.kind = e.kind AND k.key = e.key
        CROSS JOIN LATERAL (
            SELECT w.id, w.made_at FROM tenure.key_wait w
            WHERE w.kind = k.kind AND w.key = k.key AND w.generation = k.generation OFFSET 0) AS w);
END $$;

-- The newest generation that a job of a key has, or had; null where nothing is known of any. The
-- numbers that the subject has issued don't tell: some went to enqueues that kept another job. The
-- subject is locked.
CREATE OR REPLACE FUNCTION tenure.newest_of(of_kind text, of_key text) RETURNS bigint
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    RETURN (SELECT nullif(greatest(s.committed, s.given_up,
                                   tenure.newest_alive(of_kind, of_key)), 0)
            FROM tenure.subject_of(of_kind, of_key) AS s);
END $$;

-- The newest generation of a key's unfinished jobs that may still commit; null: there is none.
CREATE OR REPLACE FUNCTION tenure.newest_alive(of_kind text, of_key text) RETURNS bigint
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    RETURN (SELECT j.generation FROM tenure.job j
            WHERE j.kind = of_kind AND j.key = of_key AND j.generation >= (
                SELECT greatest(s.floor, s.committed + 1)
                FROM tenure.subject_of(of_kind, of_key) AS s)
            ORDER BY j.generation DESC LIMIT 1);
END $$;

-- Where a job that was kept would have waited for a key of which nothing is known, its lock was
-- made for nothing.
CREATE OR REPLACE FUNCTION tenure.drop_unused_locks(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off AS $$
BEGIN
    DELETE FROM tenure.subject_lock l USING (
        SELECT DISTINCT x.wait #>> '{key,kind}' AS kind, x.wait #>> '{key,key}' AS key
        FROM unnest(news) AS n CROSS JOIN LATERAL jsonb_array_elements(n.waits) AS x (wait)
        WHERE n.waits IS NOT NULL AND x.wait ? 'key') AS k
    WHERE l.kind = k.kind AND l.key = k.key
      AND NOT EXISTS (SELECT FROM tenure.subject s WHERE s.kind = k.kind AND s.key = k.key);
END $$;
