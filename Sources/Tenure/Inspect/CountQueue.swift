import TenurePostgres

/// How many unfinished jobs a queue has, from its indexes alone, up to a bound.
struct CountQueue: PostgresStatement {
    static let sql = """
        WITH run AS MATERIALIZED (
            SELECT u.id FROM unnest(ARRAY(
                SELECT r.id FROM tenure.run_seen r WHERE r.queue = $1)) AS u (id)
        )
        SELECT count(*) FROM (
            SELECT 1 FROM tenure.job j
            WHERE j.queue = $1 AND j.lane IS NULL
              AND j.state IN ('scheduled', 'available', 'retryable')
              AND j.id NOT IN (SELECT r.id FROM run r)
            UNION ALL
            SELECT 1 FROM tenure.job j
            WHERE j.queue = $1 AND j.lane IS NOT NULL
              AND j.state IN ('scheduled', 'available', 'retryable')
            UNION ALL
            SELECT 1 FROM tenure.job j WHERE j.queue = $1 AND j.state IN ('waiting', 'held')
            UNION ALL
            SELECT 1 FROM run r
            LIMIT $2::bigint) AS found
        """
    static let isPlannedForItsValues = true
    let queue: QueueName
    let most: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(JobLimits.rows(most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int64.self))
    }
}
