import TenurePostgres

/// The age of the oldest waiting job of a queue: since when a free worker would have taken it.
public struct QueueWait: Sendable {
    public let queue: QueueName
    public let oldest: Duration
}

/// For each queue that somebody works or has set up. From the heads of the claim's own index, one
/// row per priority, so that it costs the same however many wait; in lanes, which wait on purpose,
/// one more per queue.
struct ListOldestDue: PostgresStatement {
    static let sql = """
        WITH named AS (
            SELECT q.name FROM tenure.queue q
            UNION SELECT n.queue COLLATE "C" FROM tenure.session s, unnest(s.queues) AS n (queue)
                  WHERE s.ended_at IS NULL
        )
        SELECT n.name,
               greatest(extract(epoch FROM clock_timestamp() - min(head.run_at) FILTER (
                   WHERE isfinite(head.run_at))), 0)::float8
        FROM named n CROSS JOIN LATERAL (
            SELECT first.run_at FROM generate_series(0, 9) AS p (priority) CROSS JOIN LATERAL (
                SELECT j.run_at FROM tenure.job j
                WHERE j.queue = n.name AND j.priority = p.priority AND j.lane IS NULL
                  AND j.state IN ('scheduled', 'available', 'retryable')
                  AND (j.runs > 0 OR (j.id, j.created_at) NOT IN (
                      SELECT f.job_id, f.made FROM tenure.folded_run f))
                ORDER BY j.run_at, j.id LIMIT 1) AS first
            UNION ALL
            SELECT first.run_at FROM tenure.lane l CROSS JOIN LATERAL (
                SELECT j.run_at FROM tenure.job j
                WHERE j.queue = n.name AND j.lane = l.name AND j.lane IS NOT NULL
                  AND j.state IN ('scheduled', 'available', 'retryable')
                ORDER BY j.priority, j.run_at, j.id LIMIT 1) AS first
            WHERE l.queue = n.name
        ) AS head
        GROUP BY n.name ORDER BY n.name
        """

    static func decode(_ row: borrowing PostgresRow) throws -> QueueWait {
        QueueWait(
            queue: QueueName(try row.decode(0, as: String.self)),
            oldest: .seconds(try row.decode(1, as: Double.self)))
    }
}
