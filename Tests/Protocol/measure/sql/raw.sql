-- The yardstick: the least a queue can do, an UPDATE to claim and a DELETE to finish.
WITH next AS MATERIALIZED (
    SELECT id FROM measure.raw
    WHERE queue = 'q' AND priority = 5 AND state IN ('scheduled', 'available', 'retryable')
      AND run_at <= now()
    ORDER BY run_at, id LIMIT :batch FOR NO KEY UPDATE SKIP LOCKED
), taken AS (
    UPDATE measure.raw r SET state = 'running', session_id = :session,
           fence = nextval('tenure.fence'),
           attempt = r.attempt + 1, runs = r.runs + 1, claimed_at = clock_timestamp()
    FROM next WHERE r.id = next.id
    RETURNING r.id, r.fence, r.kind, r.payload
)
SELECT coalesce(array_agg(id), '{}') AS ids FROM taken \gset
DELETE FROM measure.raw WHERE id = ANY (:ids::uuid[]);
