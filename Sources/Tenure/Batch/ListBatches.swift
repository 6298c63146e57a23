public import TenureFoundation
import TenurePostgres

/// A batch, and how far it is. What has ended of it isn't counted: its numbers are zero.
public struct BatchStatus: Sendable, Hashable, Codable {
    public let id: UUID
    public let progress: BatchProgress
}

extension Inspector {
    /// The batches that are remembered, the newest first, as their ids tell.
    /// - Parameters:
    ///   - ended: those that have ended, too.
    ///   - limit: at most so many, 1 to 1,000.
    public func batches(ended: Bool = true, limit: Int = 50) async throws -> [BatchStatus] {
        try JobLimits.check(limit, of: "limit", in: 1...1000)
        return try await pool.ask(ListBatches(ended: ended, limit: limit))
    }

    /// Those behind the last of a list, for the one that follows.
    package func batches(before last: UUID?, limit: Int) async throws -> [BatchStatus] {
        try await pool.ask(ListBatches(ended: true, limit: limit, before: last))
    }
}

struct ListBatches: PostgresStatement {
    static let sql = """
        SELECT p.started_at, p.cancelled_at, p.cancelled_by, p.ended_at, p.unfinished, p.running,
               p.held, p.completed, p.cancelled, p.superseded, p.discarded, p.refused, b.id
        FROM (SELECT b.id FROM tenure.batch b WHERE (b.ended_at IS NULL OR $1)
                AND b.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
              ORDER BY b.id DESC LIMIT $2) AS b
        CROSS JOIN LATERAL tenure.batch_progress(b.id, false) AS p
        ORDER BY b.id DESC
        """
    let ended: Bool
    let limit: Int
    var before: UUID?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(ended)
        try parameters.append(Int64(limit))
        try parameters.append(before)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> BatchStatus {
        BatchStatus(id: try row.decode(12), progress: try ReadBatchProgress.decode(row))
    }
}
