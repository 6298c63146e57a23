package import TenurePostgres

/// Whether a job of the key waits to run.
///
/// What a caller may rely on: it had a transaction id before it asked, so whoever runs the job, and
/// takes an id of its own then, has a higher one. By that the job can tell when all who relied on
/// it have ended (`ItemChange`).
package struct FindPending: PostgresStatement {
    /// By its key, whatever the statistics say.
    package static let sql = """
        SELECT EXISTS (
            SELECT FROM (SELECT $1::text AS kind, $2::text AS key OFFSET 0) AS w
            CROSS JOIN LATERAL (
                SELECT j.state FROM tenure.job j
                WHERE j.kind = w.kind AND j.key = w.key OFFSET 0) AS j
            WHERE j.state <> 'running')
        """
    let kind: JobKind
    let key: String

    package init(kind: JobKind, key: String) {
        self.kind = kind
        self.key = key
    }

    package func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kind.rawValue)
        try parameters.append(key)
    }

    package static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
