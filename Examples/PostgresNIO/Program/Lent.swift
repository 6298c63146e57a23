import Logging
import PostgresNIOShape
import Tenure

/// A transaction of PostgresNIO's, lent to Tenure: all that it takes.
struct Lent: SQLExecutor {
    // Both libraries have a type of this name.
    let connection: PostgresNIOShape.PostgresConnection
    let logger: Logger

    func execute(sql: String, parameters: [String?]) async throws -> [[String?]] {
        var binds = PostgresBindings()
        for parameter in parameters { binds.append(parameter) }
        let rows = try await connection.query(
            PostgresQuery(unsafeSQL: sql, binds: binds), logger: logger)
        var answer: [[String?]] = []
        for try await row in rows {
            answer.append(try row.map { cell in try cell.decode(String?.self) })
        }
        return answer
    }
}
