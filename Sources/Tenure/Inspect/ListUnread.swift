import TenurePostgres

/// Due jobs of a kind that no live worker of their queue reads: their payloads are newer, or every
/// release that works has held them before.
public struct UnreadPayloads: Sendable {
    public let kind: JobKind
    /// The newest version among them.
    public let version: Int
    public let due: Int
}

struct ListUnread: PostgresStatement {
    static let sql = """
        SELECT j.kind, max(j.payload_version), count(*) FROM tenure.job_seen j
        WHERE j.state IN ('scheduled', 'available', 'retryable')
          AND (j.payload_version > 1 OR j.hold_versions IS NOT NULL)
          AND j.run_at <= clock_timestamp()
          AND EXISTS (SELECT FROM tenure.session s
                      WHERE s.ended_at IS NULL AND j.queue = ANY (s.queues)
                        AND j.kind = ANY (s.kinds))
          AND NOT EXISTS (SELECT FROM tenure.session s
                          WHERE s.ended_at IS NULL AND j.queue = ANY (s.queues)
                            AND j.kind = ANY (s.kinds)
                            AND (j.hold_versions IS NULL OR s.version <> ALL (j.hold_versions))
                            AND coalesce(j.payload_version
                                         <= s.versions[array_position(s.kinds, j.kind)], true))
        GROUP BY j.kind ORDER BY count(*) DESC, j.kind
        """

    static func decode(_ row: borrowing PostgresRow) throws -> UnreadPayloads {
        UnreadPayloads(
            kind: JobKind(try row.decode(0, as: String.self)),
            version: Int(try row.decode(1, as: Int16.self)),
            due: Int(try row.decode(2, as: Int64.self)))
    }
}
