import TenurePostgres

/// The first twenty queues of each sort of trouble. It stops looking when it has them.
struct ListTroubledQueues: PostgresStatement {
    static let sql = """
        WITH RECURSIVE crew AS MATERIALIZED (
            SELECT DISTINCT n.queue COLLATE "C" AS name
            FROM tenure.session s, unnest(s.queues) AS n (queue) WHERE s.ended_at IS NULL
        ), plain (name) AS (
            SELECT '' COLLATE "C"
            UNION ALL
            SELECT (SELECT j.queue FROM tenure.job j
                    WHERE j.queue > p.name AND j.lane IS NULL
                      AND j.state IN ('scheduled', 'available', 'retryable')
                    ORDER BY j.queue LIMIT 1)
            FROM plain p WHERE p.name IS NOT NULL
        ), laned (name) AS (
            SELECT '' COLLATE "C"
            UNION ALL
            SELECT (SELECT j.queue FROM tenure.job j
                    WHERE j.queue > p.name AND j.lane IS NOT NULL
                      AND j.state IN ('scheduled', 'available', 'retryable')
                    ORDER BY j.queue LIMIT 1)
            FROM laned p WHERE p.name IS NOT NULL
        ), held (name) AS (
            SELECT '' COLLATE "C"
            UNION ALL
            SELECT (SELECT j.queue FROM tenure.job j
                    WHERE j.queue > h.name AND j.state = 'held'
                      AND j.state IN ('waiting', 'held')
                    ORDER BY j.queue LIMIT 1)
            FROM held h WHERE h.name IS NOT NULL
        )
        (SELECT p.name FROM plain p
         WHERE p.name <> '' AND p.name NOT IN (SELECT c.name FROM crew c) LIMIT 20)
        UNION
        (SELECT l.name FROM laned l
         WHERE l.name <> '' AND l.name NOT IN (SELECT c.name FROM crew c) LIMIT 20)
        UNION
        (SELECT h.name FROM held h WHERE h.name <> '' LIMIT 20)
        UNION
        (SELECT q.name FROM tenure.queue q WHERE q.paused_at IS NOT NULL ORDER BY q.name LIMIT 20)
        ORDER BY 1
        """

    static func decode(_ row: borrowing PostgresRow) throws -> QueueName {
        QueueName(try row.decode(0, as: String.self))
    }
}
