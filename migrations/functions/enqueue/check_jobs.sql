-- Refuses what the Swift library would refuse: the first such job, in one line that names the
-- field, what it is and what it may be.
CREATE OR REPLACE FUNCTION tenure.check_jobs(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    sane  CONSTANT text := 'a time in the years 1 to 9999';
    pause CONSTANT text := 'at most 365000 days';
    wrong text;
BEGIN
    SELECT w.text INTO wrong FROM unnest(news) AS n CROSS JOIN LATERAL (
        SELECT CASE
            WHEN coalesce(octet_length(n.kind), 0) NOT BETWEEN 1 AND 128
              OR octet_length(n.queue) NOT BETWEEN 1 AND 128
              OR octet_length(n.key) NOT BETWEEN 1 AND 1024
              OR octet_length(n.lane) NOT BETWEEN 1 AND 1024
              OR NOT tenure.is_plain(concat(n.kind, n.queue, n.key, n.lane))
            THEN coalesce(
                'kind ' || tenure.wrong_name(n.kind, 128),
                'queue ' || tenure.wrong_name(n.queue, 128),
                'key ' || CASE WHEN n.key IS NOT NULL THEN tenure.wrong_name(n.key, 1024) END,
                'lane ' || tenure.wrong_name(n.lane, 1024))
            WHEN n.mode NOT IN ('superseding', 'coalescing', 'keeping', 'debounced')
            THEN format('mode is "%s"; use superseding, coalescing, keeping or debounced',
                        left(n.mode, 64))
            WHEN n.waits IS NOT NULL AND n.mode IN ('coalescing', 'debounced')
            THEN format('mode is %s, and it waits for other jobs; use superseding or keeping, or '
                        'leave the waits out', n.mode)
            WHEN n.waits IS NOT NULL AND tenure.wrong_waits(n.waits) IS NOT NULL
            THEN tenure.wrong_waits(n.waits)
            WHEN n.waits IS NOT NULL AND n.key IS NOT NULL
             AND n.waits @> jsonb_build_array(jsonb_build_object(
                 'key', jsonb_build_object('kind', n.kind, 'key', n.key)))
            THEN 'wait is for its own key; leave it out, or give one of them another key: a newer '
                 'job of a key takes the place of the older'
            WHEN n.key IS NULL AND n.mode IS NOT NULL
            THEN format('mode is %s, but it has no key; give a key, or leave mode out', n.mode)
            WHEN n.priority NOT BETWEEN 0 AND 9
            THEN format('priority is %s; give 0 to 9', n.priority)
            WHEN n.max_attempts NOT BETWEEN 1 AND 10000
            THEN format('max_attempts is %s; give 1 to 10000', n.max_attempts)
            WHEN n.payload_version < 1
            THEN format('payload_version is %s; give 1 to 32767', n.payload_version)
            WHEN n.lane_max_running NOT BETWEEN 1 AND 1000000
            THEN format('lane_max_running is %s; give 1 to 1000000', n.lane_max_running)
            WHEN n.lane_min_interval <> tenure.lane_pause(n.lane_min_interval)
            THEN format('lane_min_interval is %s; give 0 to 365 days', n.lane_min_interval)
            WHEN n.lane_burst NOT BETWEEN 1 AND 10000
            THEN format('lane_burst is %s; give 1 to 10000', n.lane_burst)
            WHEN n.lane_weight NOT BETWEEN 1 AND 100
            THEN format('lane_weight is %s; give 1 to 100', n.lane_weight)
            WHEN tenure.lane_burst(n.lane_min_interval, n.lane_burst) < n.lane_burst
            THEN format('lane_burst is %s at one start in %s: more than ten years; give less',
                        n.lane_burst, n.lane_min_interval)
            WHEN octet_length(n.trace) NOT BETWEEN 1 AND 4096
            THEN format('trace has %s bytes; give 1 to 4096', octet_length(n.trace))
            WHEN NOT tenure.is_sane(n.run_at)
            THEN format('run time is %s; give %s as run_at, or %s as after', n.run_at, sane, pause)
            WHEN NOT tenure.is_sane(n.not_after)
            THEN format('expiry is %s; give %s as not_after, or %s as expires_in, or neither',
                        n.not_after, sane, pause)
            WHEN n.max_wait NOT BETWEEN '0' AND '365000 days'
            THEN format('max_wait is %s; give 0 to 365000 days', n.max_wait)
            WHEN extract(epoch FROM n.within) NOT BETWEEN 0.000001 AND 31536000000
            THEN format('within is %s; give a time of at most 365000 days, or leave it out',
                        n.within)
            WHEN n.within IS NOT NULL AND n.mode IS DISTINCT FROM 'keeping'
            THEN format('within is given, and mode is %s; use keeping, or leave within out',
                        coalesce(n.mode, 'null'))
            -- Later than now: with a date that has passed, the producer is only late.
            WHEN n.run_at > clock_timestamp() AND n.not_after <= CASE n.mode
                WHEN 'debounced' THEN least(n.run_at, clock_timestamp() + n.max_wait)
                ELSE n.run_at END
            THEN format('expiry is %s, and it may not begin before %s; give a later not_after or '
                        'expires_in', n.not_after, n.run_at)
        END) AS w (text)
    WHERE w.text IS NOT NULL LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'a job''s %', wrong USING ERRCODE = 'TN003';
    END IF;
END $$;
