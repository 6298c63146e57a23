-- Keeps the last lines that runs have logged, instead of those that they have kept before. The runs
-- have their fences, and their jobs are locked. Of a job's runs the last five are kept.
CREATE OR REPLACE FUNCTION tenure.write_logs(jobs uuid[], fences bigint[], logs jsonb[])
RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    INSERT INTO tenure.job_log AS l (job_id, fence, lines)
    SELECT DISTINCT ON (u.job, u.fence) u.job, u.fence, u.lines
    FROM unnest(jobs, fences, logs) AS u (job, fence, lines)
    ON CONFLICT (job_id, fence) DO UPDATE
    SET lines = EXCLUDED.lines, written_at = clock_timestamp();
    DELETE FROM tenure.job_log l
    WHERE l.job_id = ANY (jobs) AND l.fence < (
        SELECT k.fence FROM tenure.job_log k WHERE k.job_id = l.job_id
        ORDER BY k.fence DESC OFFSET 4 LIMIT 1);
END $$;

-- Refuses what an end can't do besides: what is no object, or has a payload or a log that can't be.
CREATE OR REPLACE FUNCTION tenure.check_also(also jsonb) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF also IS NULL OR also = 'null' THEN
        RETURN;
    ELSIF jsonb_typeof(also) <> 'object' THEN
        RAISE EXCEPTION 'what a run''s end does besides is given as %', jsonb_typeof(also)
            USING ERRCODE = 'TN003', HINT = 'give an object, or leave it out';
    END IF;
    PERFORM tenure.check_json('payload', also #> '{move,payload}'), tenure.check_log(also -> 'log');
END $$;

-- Refuses what is no log of a run: an array of at most 200 objects, of 256 KiB in all, each with a
-- message, and with a time and a level, short and plain, or without.
CREATE OR REPLACE FUNCTION tenure.check_log(log jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
BEGIN
    IF log IS NULL OR log = 'null' THEN
        RETURN;
    ELSIF jsonb_typeof(log) <> 'array' THEN
        wrong := format('is given as %s', jsonb_typeof(log));
    ELSIF jsonb_array_length(log) > 200 THEN
        wrong := format('has %s lines', jsonb_array_length(log));
    ELSIF octet_length(log::text) > 262144 THEN
        wrong := format('has %s bytes', octet_length(log::text));
    ELSE
        SELECT w.text INTO wrong FROM jsonb_array_elements(log) AS l (line)
        CROSS JOIN LATERAL (SELECT CASE
            WHEN jsonb_typeof(l.line -> 'message') IS DISTINCT FROM 'string'
            THEN 'has a line without a message'
            WHEN l.line - '{at, level, message}'::text[] <> '{}'
            THEN 'has a line with a field that nobody reads'
            WHEN coalesce(jsonb_typeof(l.line -> 'level'), 'null') NOT IN ('string', 'null')
              OR coalesce(jsonb_typeof(l.line -> 'at'), 'null') NOT IN ('string', 'null')
              OR tenure.wrong_name(coalesce(l.line ->> 'level', '-'), 64) IS NOT NULL
              OR tenure.wrong_name(coalesce(l.line ->> 'at', '-'), 64) IS NOT NULL
            THEN 'has a line whose level or time is no short text' END) AS w (text)
        WHERE w.text IS NOT NULL LIMIT 1;
    END IF;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'a run''s log %', wrong USING ERRCODE = 'TN003',
            HINT = 'give an array of at most 200 objects {"at": time, "level": level, '
                '"message": text}, of 262144 bytes in all';
    END IF;
END $$;
