-- Forgets ids, given longer ago than history is kept, whose jobs are neither unfinished nor in
-- history, and whose ends are kept for nobody: so many are looked at, the oldest first, behind
-- (`past_at`, `past_id`). Returns where to go on; no row at the end. With an id goes what its job
-- has left behind by that id. Whoever takes one of them just then waits, and has it for a new job.
-- Where history or a row is in other hands for long, the next turn does it.
CREATE OR REPLACE FUNCTION tenure.drop_given_ids(
    kept interval, past_at timestamptz, past_id uuid, at_most integer)
RETURNS TABLE (given_at timestamptz, id uuid)
LANGUAGE plpgsql SET lock_timeout = '500ms'
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off AS $$
#variable_conflict use_column
DECLARE
    old tenure.given_id[] := array(
        SELECT g FROM tenure.given_id g
        WHERE g.given_at < clock_timestamp() - kept
          AND (g.given_at, g.id) > (coalesce(past_at, '-infinity'),
                                    coalesce(past_id, '00000000-0000-0000-0000-000000000000'))
        ORDER BY g.given_at, g.id LIMIT at_most);
    free uuid[];
BEGIN
    WITH gone AS (
    DELETE FROM tenure.given_id g USING (
        SELECT o.id, o.given_at FROM unnest(old) AS o
        WHERE NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = o.job_id OFFSET 0)
          AND NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = o.job_id OFFSET 0)
          AND NOT EXISTS (SELECT FROM tenure.job_end e WHERE e.id = o.job_id OFFSET 0)
        ORDER BY o.id OFFSET 0) AS w
    WHERE g.id = w.id AND g.given_at = w.given_at
    RETURNING g.job_id)
    SELECT array_agg(DISTINCT g.job_id ORDER BY g.job_id) INTO free FROM gone g;
    -- What is kept by the job's id for longer than history would be another job's from now on. Of
    -- an id that somebody has given again meanwhile it may be that one's already: he is seen in the
    -- same look as what he has written.
    WITH over AS MATERIALIZED (
        SELECT f.id FROM unnest(free) AS f (id)
        WHERE NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = f.id OFFSET 0)
          AND NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = f.id OFFSET 0)
    ), steps AS (
        DELETE FROM tenure.job_step s USING over o WHERE s.job_id = o.id
    ), waits AS (
        DELETE FROM tenure.job_wait w USING over o WHERE w.job_id = o.id
    ), signals AS (
        DELETE FROM tenure.job_signal s USING over o WHERE s.job_id = o.id
    ), edges AS (
        DELETE FROM tenure.job_after a USING over o WHERE a.job_id = o.id
    ), tags AS (
        DELETE FROM tenure.job_tag t USING over o WHERE t.job_id = o.id
    )
    DELETE FROM tenure.job_log l USING over o WHERE l.job_id = o.id;
    IF cardinality(old) = at_most THEN
        RETURN QUERY SELECT o.given_at, o.id FROM unnest(old[at_most:at_most]) AS o;
    END IF;
END $$;
