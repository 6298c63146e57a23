-- Keeps the last lines that runs have logged, instead of those that they have kept before. The runs
-- have their fences, and their jobs are locked. Of a job's runs the last five are kept.
CREATE OR REPLACE FUNCTION tenure.write_logs(jobs uuid[], fences bigint[], logs jsonb[])
RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    INSERT INTO tenure.job_log AS l (job_id, fence, lines)
    SELECT u.job, u.fence, u.lines FROM unnest(jobs, fences, logs) AS u (job, fence, lines)
    ON CONFLICT (job_id, fence) DO UPDATE
    SET lines = EXCLUDED.lines, written_at = clock_timestamp();
    DELETE FROM tenure.job_log l
    WHERE l.job_id = ANY (jobs) AND l.fence < (
        SELECT k.fence FROM tenure.job_log k WHERE k.job_id = l.job_id
        ORDER BY k.fence DESC OFFSET 4 LIMIT 1);
END $$;

-- Refuses what is no log of a run: an array of at most 200 objects, each with a message, and of
-- 256 KiB in all.
CREATE OR REPLACE FUNCTION tenure.check_log(log jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
BEGIN
    IF log IS NULL THEN
        RETURN;
    ELSIF jsonb_typeof(log) <> 'array' THEN
        wrong := format('is given as %s', jsonb_typeof(log));
    ELSIF jsonb_array_length(log) > 200 THEN
        wrong := format('has %s lines', jsonb_array_length(log));
    ELSIF octet_length(log::text) > 262144 THEN
        wrong := format('has %s bytes', octet_length(log::text));
    ELSIF EXISTS (SELECT FROM jsonb_array_elements(log) AS l (line)
                  WHERE jsonb_typeof(l.line -> 'message') IS DISTINCT FROM 'string') THEN
        wrong := 'has a line without a message';
    ELSE
        RETURN;
    END IF;
    RAISE EXCEPTION 'a run''s log %', wrong USING ERRCODE = 'TN003', HINT = 'give an array of at '
        'most 200 objects {"at": time, "level": level, "message": text}, of 262144 bytes in all';
END $$;
