-- Forgets tags and logs of jobs that are neither unfinished nor in history, and were made longer
-- ago than this, by their ids' time, or whose ids say none: so many jobs are looked at, behind
-- `past`, by id. Returns the last of them; null at the end.
CREATE OR REPLACE FUNCTION tenure.drop_tags(kept interval, past uuid, at_most integer)
RETURNS uuid
LANGUAGE plpgsql SET lock_timeout = '500ms'
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off AS $$
#variable_conflict use_variable
DECLARE
    after  CONSTANT uuid := coalesce(past, '00000000-0000-0000-0000-000000000000');
    before CONSTANT uuid := lpad(to_hex(greatest(0, extract(
        epoch FROM clock_timestamp() - kept) * 1000)::bigint), 12, '0') || repeat('0', 20);
    old    uuid[] := array(
        SELECT c.job_id FROM (
            (SELECT DISTINCT t.job_id FROM tenure.job_tag t
             WHERE t.job_id > after AND t.job_id < before ORDER BY t.job_id LIMIT at_most)
            UNION
            (SELECT DISTINCT l.job_id FROM tenure.job_log l
             WHERE l.job_id > after AND l.job_id < before ORDER BY l.job_id LIMIT at_most)
            UNION
            (SELECT DISTINCT t.job_id FROM tenure.job_tag t
             WHERE t.job_id > after AND substr(t.job_id::text, 15, 1) <> '7'
             ORDER BY t.job_id LIMIT at_most)
            UNION
            (SELECT DISTINCT l.job_id FROM tenure.job_log l
             WHERE l.job_id > after AND substr(l.job_id::text, 15, 1) <> '7'
             ORDER BY l.job_id LIMIT at_most)) AS c
        ORDER BY c.job_id LIMIT at_most);
    gone   uuid[] := array(
        SELECT o.id FROM unnest(old) AS o (id)
        WHERE NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = o.id OFFSET 0)
          AND NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = o.id OFFSET 0));
BEGIN
    IF gone <> '{}' THEN
        DELETE FROM tenure.job_tag t WHERE t.job_id = ANY (gone);
        DELETE FROM tenure.job_log l WHERE l.job_id = ANY (gone);
    END IF;
    RETURN CASE WHEN cardinality(old) = at_most THEN old[at_most] END;
END $$;
