import TenurePostgres

/// The names of queues that have lanes, by a look for each in the index of lanes.
struct ListLaneQueues: PostgresStatement {
    static let sql = """
        WITH RECURSIVE found (queue) AS (
            (SELECT l.queue FROM tenure.lane l ORDER BY l.queue LIMIT 1)
            UNION ALL
            SELECT (SELECT l.queue FROM tenure.lane l WHERE l.queue > f.queue
                    ORDER BY l.queue LIMIT 1)
            FROM found f WHERE f.queue IS NOT NULL
        )
        SELECT f.queue FROM found f WHERE f.queue IS NOT NULL LIMIT $1
        """
    let limit: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(JobLimits.rows(limit))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> QueueName {
        QueueName(try row.decode(0, as: String.self))
    }
}
