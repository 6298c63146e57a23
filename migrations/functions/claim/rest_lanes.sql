-- Sends lanes to rest that were seen without a due job, or on hold, or in strict order behind one
-- who waits: until their next job, the end of the hold or of the interval, or for good. Alone with
-- their rows, so that nobody's jobs are on their way: they are looked at again.
CREATE OR REPLACE FUNCTION tenure.rest_lanes(wanted_queue text, names text[], due timestamptz)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    spots tenure.lane[];
    turns timestamptz[];
BEGIN
    spots := array(
        SELECT l FROM tenure.lane l WHERE l.queue = wanted_queue AND l.name = ANY (names)
        ORDER BY l.name FOR UPDATE SKIP LOCKED);
    SELECT array_agg(r.name), array_agg(r.turn) INTO names, turns FROM (
        SELECT s.name, greatest(
                   coalesce(begun.at, job.first_at, 'infinity'), hold.until,
                   CASE WHEN tenure.is_shut(h.next_at, s.min_interval, s.burst, due)
                        THEN h.next_at - tenure.lane_pause(s.min_interval)
                             * (tenure.lane_burst(s.min_interval, s.burst) - 1) END)
                   AS turn
        FROM unnest(spots) AS s
        CROSS JOIN LATERAL (
            SELECT h.next_at, h.running_ids FROM tenure.lane_holders h
            WHERE h.queue = s.queue AND h.lane = s.name ORDER BY h.n DESC LIMIT 1) AS h
        CROSS JOIN LATERAL (
            SELECT min(least(due + interval '1 s', CASE
                       WHEN j.state IN ('scheduled', 'available', 'retryable') THEN j.run_at
                       END)) AS at
            FROM tenure.job j
            WHERE s.is_strict AND j.id = ANY (h.running_ids) AND j.state <> 'running'
              AND j.queue = s.queue AND j.lane = s.name) AS begun
        CROSS JOIN LATERAL (
            SELECT max(o.until) AS until FROM tenure.lane_hold o
            WHERE o.queue = s.queue AND o.lane = s.name) AS hold
        CROSS JOIN LATERAL (
            SELECT min(n.run_at) AS first_at FROM generate_series(0, 9) AS p (priority)
            CROSS JOIN LATERAL (
                SELECT j.run_at FROM tenure.job j
                WHERE j.queue = wanted_queue AND j.lane = s.name AND j.priority = p.priority
                  AND j.state IN ('scheduled', 'available', 'retryable') AND j.lane IS NOT NULL
                  AND (j.not_after IS NULL OR j.not_after > due)
                ORDER BY j.run_at, j.id LIMIT 1) AS n) AS job) AS r
    WHERE r.turn > due;
    IF names IS NOT NULL THEN
        PERFORM tenure.move_lanes(wanted_queue, names, turns);
    END IF;
END $$;
