/// A transaction of any driver, lent to the library for one statement.
///
/// Implement it in a few lines over PostgresNIO, an ORM or whatever the program has: run `sql`
/// with its text parameters inside the open transaction, and return the rows' columns as text.
/// What the library does through it commits or rolls back with that transaction.
public protocol SQLExecutor {
    /// - Parameters:
    ///   - sql: one statement, `$1 … $n`, every parameter cast from text within it.
    ///   - parameters: the parameters as text; nil is NULL.
    /// - Throws: the driver's error; it passes through to the caller unchanged.
    func execute(sql: String, parameters: [String?]) async throws -> [[String?]]
}
