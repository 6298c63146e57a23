-- Ends that are to be settled, locked; not those that somebody else is at. Without what they have
-- come to, and with the beginning of their reasons, which is all that is said of them: five hundred
-- whole ones may be more than an array can hold.
CREATE OR REPLACE FUNCTION tenure.lock_ends(ended uuid[], at_most integer)
RETURNS tenure.job_end[]
LANGUAGE plpgsql AS $$
DECLARE
    moment CONSTANT timestamptz := clock_timestamp();
BEGIN
    IF ended IS NULL THEN
        RETURN array(
            SELECT tenure.briefly(e) FROM tenure.job_end e
            WHERE NOT e.is_settled AND e.again_at <= moment
            ORDER BY e.again_at, e.id LIMIT at_most FOR NO KEY UPDATE SKIP LOCKED);
    END IF;
    RETURN array(
        SELECT l.job_end FROM (SELECT DISTINCT u.id FROM unnest(ended) AS u (id) ORDER BY 1) AS u
        CROSS JOIN LATERAL (
            SELECT tenure.briefly(e) AS job_end FROM tenure.job_end e
            WHERE e.id = u.id
              -- Not by the index of what is to be settled, which is full of what was.
              AND e.is_settled IS NOT TRUE AND e.again_at + '0' <= moment
            FOR NO KEY UPDATE SKIP LOCKED) AS l
        LIMIT at_most);
END $$;

CREATE OR REPLACE FUNCTION tenure.briefly(of_job tenure.job_end) RETURNS tenure.job_end
LANGUAGE sql STABLE AS $$
    SELECT (of_job.id, of_job.made, of_job.outcome, of_job.ended_at, of_job.again_at,
            of_job.is_settled, of_job.was_busy, of_job.is_key, of_job.settled_to, of_job.root_id,
            of_job.root, left(of_job.root_reason, 512), of_job.path, of_job.left_out, NULL,
            left(of_job.reason, 512))::tenure.job_end
$$;

-- Who waits for these, in their order, as many as there is room for.
CREATE OR REPLACE FUNCTION tenure.find_waiters(ends tenure.job_end[], room integer)
RETURNS tenure.waiter[]
LANGUAGE plpgsql AS $$
BEGIN
    RETURN array(
        SELECT (e.place, a.job_id, NOT a.goes_on AND e.outcome <> 'completed')::tenure.waiter
        FROM (SELECT u.id, u.made, u.outcome, u.ordinality AS place,
                     coalesce(u.settled_to, '00000000-0000-0000-0000-000000000000') AS past
              FROM unnest(ends) WITH ORDINALITY AS u) AS e
        CROSS JOIN LATERAL (
            SELECT a.job_id, a.goes_on FROM tenure.job_after a
            WHERE a.needs = e.id AND a.made = e.made AND a.job_id > e.past
            ORDER BY a.job_id LIMIT room) AS a
        ORDER BY e.place, a.job_id LIMIT room);
END $$;

-- Those of them that wait still, locked, with their keys; not those that somebody else has locked.
CREATE OR REPLACE FUNCTION tenure.lock_waiters(ids uuid[]) RETURNS uuid[]
LANGUAGE plpgsql AS $$
BEGIN
    RETURN array(
        SELECT l.id FROM (SELECT i.id FROM unnest(ids) AS i (id) ORDER BY i.id) AS f
        CROSS JOIN LATERAL (
            SELECT j.id, j.kind, j.key FROM tenure.job j
            WHERE j.id = f.id AND j.state = 'waiting' AND j.waits_for_jobs OFFSET 0) AS o
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.id = o.id AND j.state = 'waiting' AND j.waits_for_jobs
              -- What was put there by hand may have no subject.
              AND (o.key IS NULL OR NOT EXISTS (
                  SELECT FROM tenure.subject_lock s WHERE s.kind = o.kind AND s.key = o.key)
                  OR EXISTS (
                  SELECT FROM tenure.subject_lock s WHERE s.kind = o.kind AND s.key = o.key
                  FOR NO KEY UPDATE SKIP LOCKED))
            FOR NO KEY UPDATE SKIP LOCKED) AS l);
END $$;
