package import TenurePostgres

/// Writes down who did what: the last statement of the act's own transaction.
package struct NoteAction: PostgresStatement {
    package static let sql = "SELECT tenure.note_action($1, $2, $3, $4, $5, $6)"
    let verb: String
    let thing: String
    let about: [String: PayloadValue]
    let jobs: Int?
    let whom: String?
    let note: ActionNote

    package func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(verb)
        try parameters.append(thing)
        try parameters.append(PostgresJSON(JSONText.line(about)))
        try parameters.append(jobs.map { Int64($0) })
        try parameters.append(whom)
        try parameters.append(note: note)
    }
}

extension PostgresPool {
    /// A change that has no SQL function of its own, and who made it, in one transaction. What has
    /// changed nothing, and returns no row that counts, is no act.
    package func change<Statement: PostgresStatement>(
        _ statement: Statement, noted action: NoteAction,
        where counts: (Statement.Row) -> Bool = { _ in true }
    ) async throws -> [Statement.Row] {
        try await withRemedy {
            try await transaction(isolation: .readCommitted) { transaction in
                let rows = try await transaction.execute(statement)
                if rows.contains(where: counts) { _ = try await transaction.execute(action) }
                return rows
            }
        }
    }
}
