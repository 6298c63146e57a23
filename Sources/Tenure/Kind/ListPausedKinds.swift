public import TenureFoundation
import TenurePostgres

/// A kind that no worker claims.
public struct PausedKind: Sendable {
    public let kind: JobKind
    public let since: Date
    public let by: String?
    public let reason: String?
}

extension PausedKind: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "kind": kind, "pausedAt": since, "pausedBy": by, "reason": reason,
        ])
    }
}

struct ListPausedKinds: PostgresStatement {
    static let sql = """
        SELECT k.name, k.paused_at, k.paused_by, k.reason
        FROM tenure.kind k WHERE k.paused_at IS NOT NULL ORDER BY k.name
        """

    static func decode(_ row: borrowing PostgresRow) throws -> PausedKind {
        PausedKind(
            kind: JobKind(try row.decode(0, as: String.self)), since: try row.decode(1),
            by: try row.decode(2), reason: try row.decode(3))
    }
}
