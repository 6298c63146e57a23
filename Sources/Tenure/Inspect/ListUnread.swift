import TenurePostgres

/// Due jobs of a kind whose payloads are newer than what any live worker of their queue reads.
public struct UnreadPayloads: Sendable {
    public let kind: JobKind
    /// The newest version among them.
    public let version: Int
    public let due: Int
}

struct ListUnread: PostgresStatement {
    static let sql = """
        SELECT j.kind, max(j.payload_version), count(*) FROM tenure.job j
        WHERE j.state IN ('scheduled', 'available', 'retryable') AND j.payload_version > 1
          AND j.run_at <= clock_timestamp()
          AND EXISTS (SELECT FROM tenure.session s
                      WHERE s.ended_at IS NULL AND j.queue = ANY (s.queues)
                        AND j.kind = ANY (s.kinds))
          AND NOT EXISTS (SELECT FROM tenure.session s
                          WHERE s.ended_at IS NULL AND j.queue = ANY (s.queues)
                            AND j.kind = ANY (s.kinds)
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
