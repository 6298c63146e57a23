-- Refuses what the Swift library would refuse.
CREATE OR REPLACE FUNCTION tenure.check_jobs(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    wrong text := (
        SELECT CASE WHEN bool_or(n.mode NOT IN (
                        'superseding', 'coalescing', 'keeping', 'debounced'))
                    THEN 'mode: use superseding, coalescing, keeping or debounced'
                    WHEN bool_or(n.priority NOT BETWEEN 0 AND 9) THEN 'priority: give 0 to 9'
                    WHEN bool_or(n.max_attempts NOT BETWEEN 1 AND 10000)
                    THEN 'max_attempts: give 1 to 10000'
                    WHEN bool_or(coalesce(octet_length(n.kind), 0) NOT BETWEEN 1 AND 128)
                    THEN 'kind: give 1 to 128 bytes'
                    WHEN bool_or(octet_length(n.queue) NOT BETWEEN 1 AND 128)
                    THEN 'queue: give 1 to 128 bytes'
                    WHEN bool_or(octet_length(n.key) NOT BETWEEN 1 AND 1024)
                    THEN 'key: give 1 to 1024 bytes'
                    WHEN bool_or(octet_length(n.lane) NOT BETWEEN 1 AND 1024)
                    THEN 'lane: give 1 to 1024 bytes'
                    WHEN bool_or(n.lane_max_running NOT BETWEEN 1 AND 1000000)
                    THEN 'lane_max_running: give 1 to 1000000'
                    WHEN bool_or(octet_length(n.trace) NOT BETWEEN 1 AND 4096)
                    THEN 'trace: give 1 to 4096 bytes'
                    WHEN bool_or(NOT tenure.is_sane(n.run_at))
                    THEN 'run_at or after: give a time in the years 1 to 9999, or at most '
                         '365000 days'
                    WHEN bool_or(NOT tenure.is_sane(n.not_after))
                    THEN 'not_after or expires_in: give a time in the years 1 to 9999, or at '
                         'most 365000 days'
                    WHEN bool_or(n.max_wait NOT BETWEEN '0' AND '365000 days')
                    THEN 'max_wait: give 0 to 365000 days'
                    WHEN bool_or(n.lane_min_interval <> tenure.lane_pause(n.lane_min_interval))
                    THEN 'lane_min_interval: give 0 to 365 days'
                    -- Later than now: with a date that has passed, the producer is only late.
                    WHEN bool_or(n.run_at > clock_timestamp() AND n.not_after <= CASE n.mode
                        WHEN 'debounced' THEN least(n.run_at, clock_timestamp() + n.max_wait)
                        ELSE n.run_at END)
                    THEN 'not_after or expires_in: give a time after the run time' END
        FROM unnest(news) AS n);
BEGIN
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'a job has a wrong %', split_part(wrong, ':', 1) USING
            ERRCODE = 'TN003', HINT = trim(split_part(wrong, ':', 2));
    END IF;
END $$;
