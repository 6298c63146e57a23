import Tenure
import TenureCLI

/// How many statements the benchmark's workers begin in a while, found out by looking often at when
/// each of their connections last began one: an idle worker's are far apart.
struct StatementCount {
    let pool: PostgresPool

    /// - Returns: how many of each text.
    func during(_ time: Duration) async throws -> [String: Int] {
        var last: [Int32: String] = [:]
        var counts: [String: Int] = [:]
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {
            for (process, began, text) in try await pool.execute(LastStatements()) {
                if let before = last[process], before != began { counts[text, default: 0] += 1 }
                last[process] = began
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return counts
    }
}

/// When the connections of the benchmark's workers began their last statements, and which.
struct LastStatements: PostgresStatement {
    static let sql = """
        SELECT a.pid, a.query_start::text, a.query FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.application_name LIKE 'tenure_bench_worker%'
          AND a.query_start IS NOT NULL
        """

    static func decode(_ row: borrowing PostgresRow) throws -> (Int32, String, String) {
        (try row.decode(0), try row.decode(1), try row.decode(2))
    }
}
