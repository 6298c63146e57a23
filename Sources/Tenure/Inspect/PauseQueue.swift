import TenurePostgres

/// Pauses a queue; the row says since when and by whom, also when it was paused before.
struct PauseQueue: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.queue AS q (name, paused_at, paused_by)
        VALUES ($1, clock_timestamp(), $2)
        ON CONFLICT (name) DO UPDATE
        SET paused_at = coalesce(q.paused_at, EXCLUDED.paused_at),
            paused_by = CASE WHEN q.paused_at IS NULL THEN EXCLUDED.paused_by ELSE q.paused_by END
        """
    let queue: QueueName
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(whom: whom)
    }
}
