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
