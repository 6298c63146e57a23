import TenurePostgres

/// How many queues of each sort are wanted.
package struct Troubles: Sendable {
    package var unworked: Int
    package var held: Int
    package var paused: Int

    package init(unworked: Int, held: Int, paused: Int) {
        (self.unworked, self.held, self.paused) = (unworked, held, paused)
    }

    package static func each(_ most: Int) -> Troubles {
        Troubles(unworked: most, held: most, paused: most)
    }
}

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
        \(QueueNames.table("plain", of: .plain, after: "$4")),
        \(QueueNames.table("laned", of: .laned, after: "$4")),
        \(QueueNames.table("held", of: .held, after: "$4"))
        (SELECT p.name FROM plain p
         WHERE p.name > $4 AND p.name NOT IN (SELECT c.name FROM crew c) AND EXISTS (
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
         WHERE l.name > $4 AND l.name NOT IN (SELECT c.name FROM crew c) AND EXISTS (
             SELECT FROM (
                 SELECT j.run_at FROM tenure.job j
                 WHERE j.queue = l.name AND j.lane IS NOT NULL
                   AND j.state IN ('scheduled', 'available', 'retryable')
                 ORDER BY j.lane, j.priority, j.run_at LIMIT 100000) AS j
             WHERE j.run_at <= statement_timestamp())
         LIMIT $1)
        UNION
        (SELECT h.name FROM held h WHERE h.name > $4 LIMIT $2::bigint)
        UNION
        (SELECT q.name FROM tenure.queue q WHERE q.paused_at IS NOT NULL AND q.name > $4
         ORDER BY q.name LIMIT $3::bigint)
        ORDER BY 1
        """
    static let isPlannedForItsValues = true
    let most: Troubles
    /// Only those behind this one, by bytes.
    var after = ""

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(Int64(most.unworked))
        try parameters.append(Int64(most.held))
        try parameters.append(Int64(most.paused))
        try parameters.append(after)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> QueueName {
        QueueName(try row.decode(0, as: String.self))
    }
}
