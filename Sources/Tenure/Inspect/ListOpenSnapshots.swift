import TenurePostgres

/// A transaction that has been open for long: the rows that were deleted since stay in the way
/// of every claim until it ends.
public struct OpenSnapshot: Sendable {
    public let backend: Int32
    public let application: String
    public let state: String
    public let age: Duration
}

struct ListOpenSnapshots: PostgresStatement {
    static let sql = """
        SELECT a.pid, coalesce(a.application_name, ''), coalesce(a.state, ''),
               extract(epoch FROM clock_timestamp() - a.xact_start)::float8
        FROM pg_stat_activity a
        WHERE a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()
          AND a.xact_start < clock_timestamp() - $1::interval
          AND (a.backend_xmin IS NOT NULL OR a.backend_xid IS NOT NULL)
        ORDER BY a.xact_start LIMIT 20
        """
    let age: Duration

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(age) }

    static func decode(_ row: borrowing PostgresRow) throws -> OpenSnapshot {
        OpenSnapshot(
            backend: try row.decode(0), application: try row.decode(1), state: try row.decode(2),
            age: .seconds(try row.decode(3, as: Double.self)))
    }
}
