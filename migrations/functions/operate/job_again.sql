-- A finished job as `read_jobs` takes it, to be run again: with another id it names the old one.
-- Where its batch is over, it runs alone.
CREATE OR REPLACE FUNCTION tenure.job_again(past tenure.job_history) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN jsonb_strip_nulls(jsonb_build_object(
        'kind', past.kind, 'queue', past.queue, 'key', past.key,
        'mode', CASE WHEN past.key IS NOT NULL THEN 'keeping' END,
        'payload_version', past.payload_version, 'priority', past.priority,
        'max_attempts', past.max_attempts, 'lane', past.lane,
        'batch_id', (SELECT b.id FROM tenure.batch b
                     WHERE b.id = past.batch_id AND b.ended_at IS NULL AND b.ending_at IS NULL),
        'retry_of', past.id, 'trace', past.trace,
        'tags', (SELECT jsonb_agg(t.tag) FROM tenure.job_tag t
                 WHERE t.job_id = past.id))) || jsonb_build_object('payload', past.payload);
END $$;
