-- Notes the kinds of runs that had begun when their processes died; a session that was closed is no
-- death. Runs whose success would leave no trace are no evidence: nothing could speak for them. Who
-- beats does so within a third of the lease, and a claim is a sign of life too.
CREATE OR REPLACE FUNCTION tenure.note_deaths(orphans tenure.job[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO tenure.kind_death (kind, session_id, claimed_at, died_at, alone)
    SELECT o.kind, o.session_id, max(o.claimed_at),
           greatest(least(max(s.ended_at), max(s.beaten_at + least(s.lease, '1 day') / 3)),
                    max(o.claimed_at)),
           NOT EXISTS (SELECT FROM tenure.job n
                       WHERE n.session_id = o.session_id AND n.kind <> o.kind
                         AND tenure.has_begun(n.session_id, n.queue, n.fence))
    FROM unnest(orphans) AS o JOIN tenure.session s ON s.id = o.session_id
    WHERE s.died AND NOT EXISTS (
        SELECT FROM tenure.queue q WHERE q.name = o.queue AND NOT q.keep_completed)
    GROUP BY o.kind, o.session_id;
END $$;
