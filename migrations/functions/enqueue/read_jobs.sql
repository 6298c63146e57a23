-- Reads the caller's array. Several jobs of one key in one call take turns, so that each of them
-- meets the one before it as if it had come alone. `id` is the caller's own; `new_id` is one that
-- the library has drawn for this enqueue and nobody else has.
CREATE OR REPLACE FUNCTION tenure.read_jobs(jobs jsonb) RETURNS tenure.new_job[]
LANGUAGE plpgsql AS $$
BEGIN
    RETURN array(SELECT (
        j.ordinal::integer,
        CASE WHEN j.key IS NULL THEN 0
             ELSE row_number() OVER (PARTITION BY j.kind, j.key ORDER BY j.ordinal) END,
        coalesce(j.id, j.new_id, tenure.new_id()), j.kind, coalesce(j.queue, 'default'), j.key,
        coalesce(j.mode, CASE WHEN j.key IS NOT NULL THEN 'superseding' END),
        NULL, NULL,
        coalesce(j.payload, jobs -> (j.ordinal::integer - 1) -> 'payload', '{}'),  -- null is one
        coalesce(j.payload_version, 1::smallint),
        coalesce(j.priority, 5::smallint),
        coalesce(j.run_at, tenure.moment_after(coalesce(j.after, '0'::interval))),
        coalesce(j.max_attempts, 25), coalesce(j.not_after, tenure.moment_after(j.expires_in)),
        coalesce(j.overlap, true), j.max_wait, j.lane,
        j.lane_max_running, j.lane_min_interval, j.batch_id, j.parent_id, j.retry_of, j.trace,
        coalesce(j.run_at > clock_timestamp(), false), j.id IS NOT NULL,
        tenure.some_waits(j.waits), j.within, j.lane_burst, j.lane_weight,
        j.lane_strict, tenure.read_tags(j.tags))::tenure.new_job
    FROM ROWS FROM (jsonb_to_recordset(jobs) AS (
             id uuid, new_id uuid, kind text, queue text, key text, mode text, payload jsonb,
             payload_version smallint, priority smallint, run_at timestamptz, after interval,
             max_attempts integer, not_after timestamptz, expires_in interval, overlap boolean,
             max_wait interval, lane text, lane_max_running integer, lane_min_interval interval,
             batch_id uuid, parent_id uuid, retry_of uuid, trace text, waits jsonb,
             within interval, lane_burst integer, lane_weight smallint, lane_strict boolean,
             tags jsonb
         )) WITH ORDINALITY AS j (
             id, new_id, kind, queue, key, mode, payload, payload_version, priority, run_at, after,
             max_attempts, not_after, expires_in, overlap, max_wait, lane, lane_max_running,
             lane_min_interval, batch_id, parent_id, retry_of, trace, waits, within,
             lane_burst, lane_weight, lane_strict, tags, ordinal));
END $$;

-- A time-ordered id (UUID version 7) for callers that bring none.
CREATE OR REPLACE FUNCTION tenure.new_id() RETURNS uuid
LANGUAGE sql VOLATILE AS $$
    SELECT encode(
        set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
                PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint)
                                  FROM 3)
                FROM 1 FOR 6),
            52, 1), 53, 1), 'hex')::uuid
$$;
