-- Ends the runs of dead sessions, a bounded number at a time. Those whose handlers had begun have
-- spent an attempt; what was only claimed goes back as it was. A job that is locked just then, or
-- whose key is, is left for another round and takes no place in this one: nobody's open
-- transaction delays the others.
CREATE OR REPLACE FUNCTION tenure.reclaim_runs(at_most integer)
RETURNS TABLE (id uuid, became text, kind text, queue text)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    orphans tenure.job[];
    begun   bigint[];
BEGIN
    PERFORM tenure.settle_claims(array(
        SELECT c.number FROM tenure.session s JOIN tenure.claim_row c ON c.session_id = s.id
        WHERE s.reclaimed_at IS NULL AND s.ended_at IS NOT NULL
        ORDER BY c.number LIMIT greatest(1, at_most / 100)));
    orphans := array(
        SELECT o.job FROM (
            SELECT j AS job FROM tenure.session s JOIN tenure.job j ON j.session_id = s.id
            WHERE s.reclaimed_at IS NULL AND s.ended_at IS NOT NULL
            ORDER BY j.id OFFSET 0) AS o
        WHERE ((o.job).key IS NULL OR EXISTS (
            SELECT FROM tenure.subject_lock s
            WHERE s.kind = (o.job).kind AND s.key = (o.job).key
            FOR NO KEY UPDATE SKIP LOCKED))
          AND EXISTS (
            SELECT FROM tenure.job l WHERE l.id = (o.job).id FOR UPDATE SKIP LOCKED)
        LIMIT at_most);
    begun := array(SELECT o.fence FROM unnest(orphans) AS o
                   WHERE tenure.has_begun(o.session_id, o.queue, o.fence));
    PERFORM tenure.note_deaths(array(
        SELECT o FROM unnest(orphans) AS o WHERE o.fence = ANY (begun)));
    RETURN QUERY
        SELECT e.id, e.became, o.kind, o.queue FROM tenure.end_runs(array(
            SELECT (o.id, o.fence,
                    CASE WHEN o.fence = ANY (begun) THEN 'reclaimed' ELSE 'unbegun' END,
                    NULL, NULL, NULL, 'worker_died',
                    format('session %s ended while the job ran', o.session_id), NULL,
                    NULL)::tenure.ending
            FROM unnest(orphans) AS o), false) AS e
        JOIN unnest(orphans) AS o ON o.id = e.id
        WHERE e.became NOT IN ('busy', 'late');
    WITH done AS (
        UPDATE tenure.session s SET reclaimed_at = clock_timestamp()
        WHERE s.reclaimed_at IS NULL AND s.ended_at IS NOT NULL
          AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.session_id = s.id)
          AND NOT EXISTS (SELECT FROM tenure.claim_row c WHERE c.session_id = s.id)
        RETURNING s.id
    )
    DELETE FROM tenure.session_begun b WHERE b.session_id = ANY (array(SELECT d.id FROM done d));
END $$;
