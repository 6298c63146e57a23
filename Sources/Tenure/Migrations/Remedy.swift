import TenurePostgres

/// Runs what works with Tenure's own tables. A database that has none of them, or those of another
/// release, is said to be one, with what to do about it; all other errors pass.
package func withRemedy<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
        return try await body()
    } catch let error as PostgresError where error.lacksSchema {
        throw TenureError(
            .schemaMismatch,
            "the database has no tenure schema, or another release's (\(error.message)); run: "
                + "tenure migrate up, or in a program: Migrator(pool:).up()",
            cause: error)
    }
}

extension PostgresError {
    /// A schema, table, column, function or type that a statement names isn't there. Names that
    /// callers choose stand in none of the library's statements.
    fileprivate var lacksSchema: Bool {
        ["3F000", "42P01", "42703", "42883", "42704"].contains(sqlState ?? "")
    }
}

extension PostgresPool {
    /// As `execute`, of the library's own statements.
    package func ask<Statement: PostgresStatement>(
        _ statement: Statement, deadline: Duration? = nil
    ) async throws -> [Statement.Row] {
        try await withRemedy { try await execute(statement, deadline: deadline) }
    }
}
