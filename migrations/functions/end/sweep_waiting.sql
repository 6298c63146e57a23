-- Lets jobs go that wait though no run of their key is left, nor anything else. No statement leaves
-- one behind; this is the net under all of them, and under a hand on the tables. Looks at so many
-- waiting jobs from `after` on, and says where to go on: null at the end of a round. What is locked
-- just then, or whose key is, is left for another round. Those that wait for other jobs are let go
-- by `settle_ends` alone, which gets another look at them here.
CREATE OR REPLACE FUNCTION tenure.sweep_waiting(
    after uuid, at_most integer, OUT onward uuid, OUT released integer)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    let_go integer;
    seen  uuid[];
    ids   uuid[];
    stale uuid[];
BEGIN
    PERFORM tenure.require_read_committed('a sweep');
    seen := array(
        SELECT j.id FROM tenure.job j
        WHERE j.state = 'waiting'
          AND j.id > coalesce(after, '00000000-0000-0000-0000-000000000000')
        ORDER BY j.id LIMIT at_most);
    onward := CASE WHEN cardinality(seen) = at_most THEN seen[at_most] END;
    ids := array(SELECT s FROM tenure.stranded(seen) AS s);
    released := tenure.mend_ends(seen);
    IF ids = '{}' THEN
        RETURN;
    END IF;
    ids := array(
        SELECT l.id FROM unnest(ids) AS i (id) CROSS JOIN LATERAL (
            SELECT j.id, j.kind, j.key FROM tenure.job j WHERE j.id = i.id OFFSET 0) AS o
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.id = o.id AND j.state = 'waiting' AND (EXISTS (
                SELECT FROM tenure.subject_lock s WHERE s.kind = o.kind AND s.key = o.key
                FOR NO KEY UPDATE SKIP LOCKED)
              -- What was put there by hand may have none.
              OR NOT EXISTS (
                SELECT FROM tenure.subject_lock s WHERE s.kind = o.kind AND s.key = o.key))
            FOR UPDATE SKIP LOCKED) AS l);
    -- Under their locks, in a statement of its own: their reason may have come anew.
    ids := array(SELECT s FROM tenure.stranded(ids) AS s);
    PERFORM tenure.require_durable_commit();
    stale := array(
        SELECT j.id FROM unnest(ids) AS i (id) CROSS JOIN LATERAL (
            SELECT j.id, j.kind, j.key, j.generation FROM tenure.job j
            WHERE j.id = i.id OFFSET 0) AS j
        LEFT JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s ON true
        WHERE s.floor > j.generation OR s.committed >= j.generation OR EXISTS (
            SELECT FROM tenure.job n WHERE n.kind = j.kind AND n.key = j.key
              AND n.generation > j.generation AND n.state <> 'running' OFFSET 0));
    PERFORM tenure.move_pending(stale, 'superseded', 'superseded before it ran');
    UPDATE tenure.job j
    SET waits_for_key = false, run_at = greatest(j.run_at, clock_timestamp()),
        state = CASE WHEN j.run_at > clock_timestamp() THEN 'scheduled'
                     ELSE 'available' END::tenure.job_state
    WHERE j.id = ANY (ids);
    GET DIAGNOSTICS let_go = ROW_COUNT;
    released := released + let_go;
    PERFORM tenure.call_lanes(ids);
END $$;

-- Those of these jobs that wait, and for nothing; none of those that wait for other jobs.
CREATE OR REPLACE FUNCTION tenure.stranded(ids uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT j.id FROM (SELECT i.id FROM unnest(ids) AS i (id) ORDER BY i.id) AS i
    CROSS JOIN LATERAL (
        SELECT j.id, j.kind, j.key, j.waits_for_jobs FROM tenure.job j
        WHERE j.id = i.id AND j.state = 'waiting' OFFSET 0) AS j
    WHERE NOT j.waits_for_jobs AND NOT EXISTS (
        SELECT FROM tenure.job r WHERE r.kind = j.kind AND r.key = j.key
          AND r.state = 'running' OFFSET 0)
      AND NOT tenure.has_wait(j.id);
END $$;

-- Whether there is something that a job waits for, and that has not come.
CREATE OR REPLACE FUNCTION tenure.has_wait(job uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM tenure.job_wait w WHERE w.job_id = job)
       AND NOT EXISTS (
        SELECT FROM tenure.job_wait w WHERE w.job_id = job AND (
            w.until <= clock_timestamp() OR EXISTS (
                SELECT FROM tenure.job_signal s
                WHERE s.job_id = job AND s.name = w.signal AND s.taken_as IS NULL)))
$$;
