-- How long until a queue is worth another claim: until its next job falls due, not positive when
-- one has since the last claim; null when there is none. `guarded` says that limits hold jobs
-- back whose end nobody announces. From a position, as a claim: dead entries are not walked over.
CREATE OR REPLACE FUNCTION tenure.next_due(
    wanted_queue text, wanted_kinds text[], from_run_at timestamptz[] DEFAULT NULL,
    from_id uuid[] DEFAULT NULL, wanted_versions smallint[] DEFAULT NULL,
    release text DEFAULT NULL, OUT due_in interval, OUT guarded boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    known  CONSTANT text[] := wanted_kinds;  -- each at the place of its version
    moment timestamptz := clock_timestamp();
    next   timestamptz;
    opens  timestamptz;  -- by the queue's rate
BEGIN
    IF EXISTS (SELECT FROM tenure.queue q
               WHERE q.name = wanted_queue AND q.paused_at IS NOT NULL) THEN
        guarded := false;
        RETURN;
    END IF;
    IF EXISTS (SELECT FROM tenure.kind k WHERE k.paused_at IS NOT NULL) THEN
        wanted_kinds := tenure.open_kinds(wanted_kinds);
    END IF;
    guarded := EXISTS (
                SELECT FROM tenure.lane_holders h
                WHERE h.queue = wanted_queue AND h.turn_at < 'infinity'
                  AND h.turn_at >= coalesce(from_run_at[11] - interval '50 ms', '-infinity'))
            OR EXISTS (SELECT FROM tenure.lane_call c WHERE c.queue = wanted_queue)
            OR EXISTS (SELECT FROM tenure.queue q
                       WHERE q.name = wanted_queue
                         AND (q.max_running IS NOT NULL OR q.min_interval > '0'));
    next := least(
        (SELECT min(n.run_at) FROM generate_series(0, 9) AS p (priority) CROSS JOIN LATERAL (
            SELECT j.run_at FROM tenure.job j
            WHERE j.queue = wanted_queue AND j.priority = p.priority
              AND j.state IN ('scheduled', 'available', 'retryable') AND j.lane IS NULL
              AND (j.run_at, j.id) > (coalesce(from_run_at[p.priority + 1], '-infinity'),
                  coalesce(from_id[p.priority + 1], '00000000-0000-0000-0000-000000000000'))
              AND j.kind = ANY (wanted_kinds)
              AND tenure.can_read(j.payload_version, j.kind, known, wanted_versions)
              AND (j.hold_versions IS NULL OR release IS NULL
                   OR release <> ALL (j.hold_versions))
              AND (j.not_after IS NULL OR j.not_after > moment)
              AND (j.batch_id IS NULL OR j.batch_id <> ALL (array(
                  SELECT r.id FROM tenure.batch r
                  WHERE r.ending_at IS NOT NULL AND r.ended_at IS NULL)))
              AND (j.runs > 0 OR (j.id, j.created_at) NOT IN (
                  SELECT f.job_id, f.made FROM tenure.folded_run f
                  WHERE f.queue = wanted_queue))
            ORDER BY j.run_at, j.id LIMIT 1) AS n),
        -- Lanes whose turn has come and that were not claimed from are full: see `guarded`.
        (SELECT h.turn_at FROM tenure.lane_holders h
         WHERE guarded AND h.queue = wanted_queue AND h.turn_at > moment AND h.turn_at < 'infinity'
         ORDER BY h.turn_at LIMIT 1),
        (SELECT min(c.at) FROM tenure.lane_call c
         WHERE guarded AND c.queue = wanted_queue AND c.at > moment)
    );
    IF guarded THEN
        SELECT CASE WHEN tenure.is_shut(h.next_at, q.min_interval, q.burst, moment)
                    THEN h.next_at - tenure.lane_pause(q.min_interval)
                                     * (tenure.lane_burst(q.min_interval, q.burst) - 1)
                    ELSE moment END INTO opens
        FROM tenure.queue q CROSS JOIN LATERAL (
            SELECT h.next_at FROM tenure.queue_holders h
            WHERE h.queue = q.name ORDER BY h.n DESC LIMIT 1) AS h
        WHERE q.name = wanted_queue AND q.min_interval > '0';
        -- Lanes whose turn has come wait for that alone, as far as can be seen; it may have opened
        -- since the last claim.
        next := CASE WHEN opens IS NULL THEN next
                     WHEN EXISTS (SELECT FROM tenure.lane_holders h
                                  WHERE h.queue = wanted_queue AND h.turn_at <= moment
                                    AND h.turn_at >= coalesce(from_run_at[11] - interval '50 ms',
                                                              '-infinity')) THEN opens
                     WHEN next IS NOT NULL THEN greatest(next, opens) END;
    END IF;
    -- What is due at no time has no distance from now.
    due_in := CASE WHEN next = '-infinity' THEN '0' WHEN next < 'infinity' THEN next - moment END;
END $$;
