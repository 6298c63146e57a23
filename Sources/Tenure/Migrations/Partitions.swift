// docs/decisions/history.md

package import TenurePostgres

/// History's partitions, made days ahead by any process, so that none has to be there.
package enum Partitions {
    private static let daysAhead: Int32 = 7

    /// - Throws: `PostgresError`; with SQLSTATE 55P03 when a table was in use and the next round
    ///   may have more luck.
    package static func makeAhead(pool: PostgresPool) async throws {
        var first: (any Error)?
        for parent in ["job_history_ended", "job_history_discarded", "attempt_error"] {
            do {
                _ = try await pool.execute(MakePartitions(parent: parent, days: daysAhead))
            } catch {
                if error is CancellationError { throw error }
                first = first ?? error  // one table in use keeps no other from its room
            }
        }
        if let first { throw first }
    }
}

struct MakePartitions: PostgresStatement {
    static let sql = "SELECT tenure.prepare_history($1, $2)"
    let parent: String
    let days: Int32

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(parent)
        try parameters.append(days)
    }
}
