-- Retires the pending jobs of superseded keys.
CREATE OR REPLACE FUNCTION tenure.retire_superseded(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM tenure.retire_older(
                array_agg(n.kind), array_agg(n.key), array_agg(n.oldest), array_agg(n.id))
    FROM unnest(news) AS n WHERE n.mode = 'superseding';
END $$;

-- The same for keys with the oldest generation that can be pending, and the job that each makes way
-- for. One that is being claimed just now is waited for, and then left: it runs, and learns its
-- fate from the subject.
CREATE OR REPLACE FUNCTION tenure.retire_older(
    kinds text[], keys text[], oldest bigint[], news uuid[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    ids        uuid[];
    successors uuid[];
BEGIN
    SELECT array_agg(l.id), array_agg(c.successor) INTO ids, successors
    FROM (
        SELECT j.id, n.id AS successor
        FROM unnest(kinds, keys, oldest, news) AS n (kind, key, oldest, id) CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.kind = n.kind AND j.key = n.key AND j.generation >= n.oldest
              AND j.state <> 'running' OFFSET 0) AS j
        WHERE n.oldest IS NOT NULL ORDER BY j.id) AS c
    CROSS JOIN LATERAL (
        SELECT j.id FROM tenure.job j WHERE j.id = c.id AND j.state <> 'running'
        FOR UPDATE) AS l;
    IF ids IS NOT NULL THEN
        PERFORM tenure.move_pending(ids, 'superseded', 'superseded before it ran', successors);
    END IF;
END $$;

-- The same for one key; returns how many.
CREATE OR REPLACE FUNCTION tenure.retire_key(
    of_kind text, of_key text, oldest bigint, successor uuid) RETURNS integer
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    ids uuid[] := array(
        SELECT l.id FROM (
            SELECT j.id FROM tenure.job j
            WHERE j.kind = of_kind AND j.key = of_key AND j.generation >= oldest
              AND j.state <> 'running' ORDER BY j.id) AS c
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j WHERE j.id = c.id AND j.state <> 'running'
            FOR UPDATE) AS l);
BEGIN
    IF ids = '{}' THEN
        RETURN 0;
    END IF;
    RETURN tenure.move_pending(
        ids, 'superseded', 'superseded before it ran',
        array_fill(successor, ARRAY[cardinality(ids)]));
END $$;
