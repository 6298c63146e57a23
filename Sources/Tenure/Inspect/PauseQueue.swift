import TenurePostgres

/// Pauses a queue; the row says since when and by whom, also when it was paused before. Returns one
/// when it was not.
struct PauseQueue: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.queue AS q (name, paused_at, paused_by)
        VALUES ($1, clock_timestamp(), $2)
        ON CONFLICT (name) DO UPDATE
        SET paused_at = EXCLUDED.paused_at, paused_by = EXCLUDED.paused_by
        WHERE q.paused_at IS NULL
        RETURNING true
        """
    let queue: QueueName
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(whom: whom)
    }
}
