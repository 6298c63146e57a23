-- Locked keys do not use up the round: as many orphans as can be ended now, whatever the first are.
CREATE OR REPLACE FUNCTION tenure.reclaim_runs(at_most integer)
RETURNS TABLE (id uuid, became text, kind text, queue text)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    orphans tenure.job[];
BEGIN
    orphans := array(
        SELECT o.job FROM (
            SELECT j AS job FROM tenure.session s JOIN tenure.job j ON j.session_id = s.id
            WHERE s.reclaimed_at IS NULL AND s.ended_at IS NOT NULL
            ORDER BY j.id OFFSET 0) AS o
        WHERE (o.job).key IS NULL OR EXISTS (
            SELECT FROM tenure.subject s WHERE s.kind = (o.job).kind AND s.key = (o.job).key
            FOR NO KEY UPDATE SKIP LOCKED)
        LIMIT at_most);
    RETURN QUERY
        SELECT e.id, e.became, o.kind, o.queue FROM tenure.end_runs(array(
            SELECT (o.id, o.fence, 'reclaimed', NULL, NULL, NULL, 'worker_died',
                    format('session %s ended while the job ran', o.session_id), NULL)::tenure.ending
            FROM unnest(orphans) AS o), false) AS e
        JOIN unnest(orphans) AS o ON o.id = e.id
        WHERE e.became NOT IN ('busy', 'late');
    UPDATE tenure.session s SET reclaimed_at = clock_timestamp()
    WHERE s.reclaimed_at IS NULL AND s.ended_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.session_id = s.id);
END $$;
