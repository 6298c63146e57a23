import TenurePostgres

/// The kinds that live workers run.
struct ListLiveKinds: PostgresStatement {
    static let sql = """
        SELECT DISTINCT k.kind FROM tenure.session s, unnest(s.kinds) AS k (kind)
        WHERE s.ended_at IS NULL ORDER BY k.kind
        """

    static func decode(_ row: borrowing PostgresRow) throws -> JobKind {
        JobKind(try row.decode(0, as: String.self))
    }
}
