import TenureFoundation
import TenurePostgres

/// A job of a key that has not ended.
public struct UnfinishedJob: Sendable {
    public let id: JobID
    public let queue: QueueName
    public let key: String
    public let isRunning: Bool
}

extension Inspector {
    /// The jobs of these keys that have not ended, however many other jobs wait; the newest first.
    public func unfinished(of kind: JobKind, keys: [String]) async throws -> [UnfinishedJob] {
        try await pool.ask(ListUnfinishedJobs(kind: kind, keys: keys))
    }
}

/// Each key is looked up by itself, in its index, whatever the statistics say.
struct ListUnfinishedJobs: PostgresStatement {
    static let sql = """
        SELECT j.id, j.queue, j.key, j.state = 'running'
        FROM unnest($2::text[]) AS k (key)
        CROSS JOIN LATERAL (
            SELECT j.id, j.queue, j.key, j.state FROM tenure.job j
            WHERE j.kind = $1 AND j.key = k.key OFFSET 0) AS j
        ORDER BY j.id DESC
        """
    let kind: JobKind
    let keys: [String]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kind.rawValue)
        try parameters.append(keys)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> UnfinishedJob {
        UnfinishedJob(
            id: JobID(try row.decode(0, as: UUID.self)),
            queue: QueueName(try row.decode(1, as: String.self)),
            key: try row.decode(2), isRunning: try row.decode(3))
    }
}
