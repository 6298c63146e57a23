import TenurePostgres

/// Lets a queue go on; a row when it was paused.
struct ResumeQueue: PostgresStatement {
    static let sql = """
        UPDATE tenure.queue q SET paused_at = NULL, paused_by = NULL
        WHERE q.name = $1 AND q.paused_at IS NOT NULL RETURNING true
        """
    let queue: QueueName

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
