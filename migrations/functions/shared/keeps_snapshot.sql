-- Whether the transaction reads all it reads as it was at its first statement.
CREATE OR REPLACE FUNCTION tenure.keeps_snapshot() RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT current_setting('transaction_isolation') IN ('repeatable read', 'serializable')
$$;

-- For what can be decided by what is there now alone: no lock tells of rows that an old snapshot
-- doesn't show.
CREATE OR REPLACE FUNCTION tenure.require_read_committed(what text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF tenure.keeps_snapshot() THEN
        RAISE EXCEPTION '% runs at READ COMMITTED, the transaction at %', what,
            upper(current_setting('transaction_isolation'))
            USING ERRCODE = '25000', HINT = 'BEGIN ISOLATION LEVEL READ COMMITTED; where the '
                'default is another, ALTER ROLE … SET default_transaction_isolation';
    END IF;
END $$;

-- A transaction that keeps its snapshot would decide by rows that have changed since: it fails
-- instead (40001), by locking them. Reading again is enough for all others, and costs no lock.
--
-- The subject tells of new jobs, generations, floors and commits; but a run that ends in any other
-- way leaves it as it was, so the key's jobs are asked too: every end deletes or updates them, and
-- pays nothing for this. The subjects are locked.
CREATE OR REPLACE FUNCTION tenure.require_current_view(kinds text[], keys text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF tenure.keeps_snapshot() THEN
        PERFORM FROM unnest(kinds, keys) AS w (kind, key) CROSS JOIN LATERAL (
            SELECT FROM tenure.subject s WHERE s.kind = w.kind AND s.key = w.key
            FOR NO KEY UPDATE) AS s;
        PERFORM tenure.require_current_jobs(array(
            SELECT j.id FROM unnest(kinds, keys) AS w (kind, key) CROSS JOIN LATERAL (
                SELECT j.id FROM tenure.job j
                WHERE j.kind = w.kind AND j.key = w.key OFFSET 0) AS j));
    END IF;
END $$;

-- The same for jobs by their ids, asked by whoever keeps a snapshot. Their subjects are locked.
CREATE OR REPLACE FUNCTION tenure.require_current_jobs(ids uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM (SELECT DISTINCT i.id FROM unnest(ids) AS i (id) ORDER BY i.id) AS i
    CROSS JOIN LATERAL (
        SELECT FROM tenure.job j WHERE j.id = i.id FOR NO KEY UPDATE) AS l;
END $$;
