import TenurePostgres

/// Queues that want a look, by name, at most so many of each sort: they have due jobs, and no live
/// worker; they have held jobs; they are paused. It stops looking when it has them. Of a queue's
/// jobs in lanes the first 100,000 are looked at.
struct ListTroubledQueues: PostgresStatement {
    static let sql = """
        WITH RECURSIVE crew AS MATERIALIZED (
            SELECT DISTINCT n.queue COLLATE "C" AS name
            FROM tenure.session s, unnest(s.queues) AS n (queue) WHERE s.ended_at IS NULL
        ), taken AS MATERIALIZED (
            SELECT u.id FROM unnest(ARRAY(SELECT r.id FROM tenure.run_seen r)) AS u (id)
        ),
        \(QueueNames.table("plain", of: .plain)),
        \(QueueNames.table("laned", of: .laned)),
        \(QueueNames.table("held", of: .held))
        (SELECT p.name FROM plain p
         WHERE p.name <> '' AND p.name NOT IN (SELECT c.name FROM crew c) AND EXISTS (
             SELECT FROM generate_series(0, 9) AS i (priority) CROSS JOIN LATERAL (
                 SELECT FROM tenure.job j
                 WHERE j.queue = p.name AND j.lane IS NULL AND j.priority = i.priority
                   AND j.run_at <= statement_timestamp()
                   AND j.state IN ('scheduled', 'available', 'retryable')
                   AND j.id NOT IN (SELECT t.id FROM taken t)
                 ORDER BY j.run_at LIMIT 1) AS due)
         LIMIT $1::bigint)
        UNION
        (SELECT l.name FROM laned l
         WHERE l.name <> '' AND l.name NOT IN (SELECT c.name FROM crew c) AND EXISTS (
             SELECT FROM (
                 SELECT j.run_at FROM tenure.job j
                 WHERE j.queue = l.name AND j.lane IS NOT NULL
                   AND j.state IN ('scheduled', 'available', 'retryable')
                 ORDER BY j.lane, j.priority, j.run_at LIMIT 100000) AS j
             WHERE j.run_at <= statement_timestamp())
         LIMIT $1)
        UNION
        (SELECT h.name FROM held h WHERE h.name <> '' LIMIT $1)
        UNION
        (SELECT q.name FROM tenure.queue q WHERE q.paused_at IS NOT NULL ORDER BY q.name LIMIT $1)
        ORDER BY 1
        """
    static let isPlannedForItsValues = true
    let limit: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(JobLimits.rows(limit))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> QueueName {
        QueueName(try row.decode(0, as: String.self))
    }
}
