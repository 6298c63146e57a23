-- The same for many queues: each client goes round its share of them, a queue to a transaction.
\set queue (:client_id + :clients * :turn) % :queues
\set turn :turn + 1
WITH next AS MATERIALIZED (
    SELECT id FROM tenure.raw_job
    WHERE queue = 'bench-' || :queue AND priority = 5
      AND state IN ('scheduled', 'available', 'retryable') AND run_at <= now()
    ORDER BY run_at, id LIMIT :batch FOR NO KEY UPDATE SKIP LOCKED
), taken AS (
    UPDATE tenure.raw_job r
    SET state = 'running', session_id = 1, fence = nextval('tenure.raw_fence'),
        attempt = r.attempt + 1, runs = r.runs + 1, claimed_at = clock_timestamp()
    FROM next WHERE r.id = next.id
    RETURNING r.id, r.fence, r.kind, r.payload
)
SELECT coalesce(array_agg(id), '{}') AS ids, array_agg(payload) AS payloads FROM taken \gset
DELETE FROM tenure.raw_job WHERE id = ANY (:ids::uuid[]);
