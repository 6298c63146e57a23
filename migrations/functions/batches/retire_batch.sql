-- Moves pending jobs of a cancelled batch into history, at most so many; returns how many. What is
-- locked just then, or whose key is, is left for another round and takes no place in this one:
-- nobody's open transaction delays the others. A job that is being claimed just now runs, and its
-- verdict says what there is to say.
CREATE OR REPLACE FUNCTION tenure.retire_batch(batch uuid, at_most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    whom text := (SELECT e FROM tenure.batch_ending(batch) AS e);
    ids  uuid[];
BEGIN
    IF whom IS NULL THEN
        RETURN 0;
    END IF;
    PERFORM tenure.require_durable_commit();
    ids := array(
        SELECT l.id FROM (
            SELECT j.id, j.kind, j.key FROM tenure.job j
            WHERE j.batch_id = batch AND j.state <> 'running' ORDER BY j.id) AS o
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.id = o.id AND j.state <> 'running'
              AND (o.key IS NULL OR EXISTS (
                  SELECT FROM tenure.subject_lock s WHERE s.kind = o.kind AND s.key = o.key
                  FOR NO KEY UPDATE SKIP LOCKED))
            FOR UPDATE SKIP LOCKED) AS l
        LIMIT at_most);
    RETURN tenure.move_pending(ids, 'cancelled', whom);
END $$;
