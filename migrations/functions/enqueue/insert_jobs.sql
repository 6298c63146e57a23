-- Inserts jobs whose turn it is to be rows. Those of a key wait where one of it still runs and
-- they may not run beside it.
CREATE OR REPLACE FUNCTION tenure.insert_jobs(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO tenure.job (
        id, batch_id, parent_id, retry_of, generation, run_at, not_after, state, max_attempts,
        payload_version, priority, waits_for_key, waits_for_jobs, calendar, kind, queue, key, lane,
        payload, trace)
    SELECT n.id, n.batch_id, n.parent_id, n.retry_of, n.generation, due.at, n.not_after,
           CASE WHEN blocked.yes OR n.waits IS NOT NULL THEN 'waiting'
                WHEN due.at > clock_timestamp() THEN 'scheduled'
                ELSE 'available' END::tenure.job_state,
           n.max_attempts, n.payload_version, n.priority, blocked.yes,
           n.waits IS NOT NULL, n.calendar, n.kind, n.queue, n.key, n.lane, n.payload, n.trace
    FROM unnest(news) AS n,
         LATERAL (SELECT CASE WHEN n.mode = 'debounced'
                              THEN least(n.run_at, clock_timestamp() + n.max_wait)
                              ELSE n.run_at END) AS due (at),
         LATERAL (SELECT n.key IS NOT NULL
                     AND (n.mode IN ('coalescing', 'debounced') OR NOT n.overlap)
                     AND EXISTS (SELECT FROM tenure.job r
                                 WHERE r.kind = n.kind AND r.key = n.key AND r.state = 'running')
                 ) AS blocked (yes);
END $$;
