public import TenureFoundation
import TenurePostgres

/// A job that a session runs, or has claimed to run it.
public struct SessionRun: Sendable {
    public let id: JobID
    public let kind: JobKind
    public let queue: QueueName
    public let key: String?
    public let attempt: Int
    public let fence: Fence
    public let claimedAt: Date
    public let isCancelling: Bool
    /// False while it waits for a slot.
    public let hasBegun: Bool
}

extension SessionRun: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "id": id, "kind": kind, "queue": queue, "key": key, "attempt": attempt,
            "fence": fence.rawValue, "claimedAt": claimedAt, "cancelling": isCancelling,
            "begun": hasBegun,
        ])
    }
}

struct ListSessionRuns: PostgresStatement {
    static let sql = """
        SELECT j.id, j.kind, j.queue, j.key, j.attempt, j.fence, j.claimed_at,
               j.ending_at IS NOT NULL, tenure.has_begun(j.session_id, j.queue, j.fence)
        FROM tenure.run_seen j WHERE j.session_id = $1 AND j.fence > coalesce($2::bigint, -1)
        ORDER BY j.fence LIMIT $3
        """
    let session: SessionID
    /// Only those that were claimed after it.
    var after: Int64?
    /// Nil for all.
    var limit: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(session.rawValue)
        try parameters.append(after)
        try parameters.append(try limit.map(JobLimits.rows))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> SessionRun {
        SessionRun(
            id: JobID(try row.decode(0, as: UUID.self)),
            kind: JobKind(try row.decode(1, as: String.self)),
            queue: QueueName(try row.decode(2, as: String.self)), key: try row.decode(3),
            attempt: Int(try row.decode(4, as: Int32.self)), fence: Fence(try row.decode(5)),
            claimedAt: try row.decode(6), isCancelling: try row.decode(7),
            hasBegun: try row.decode(8))
    }
}
