import Tenure
import TenureCLI

/// The yardstick's tables, with the rows that the queue has.
enum RawJobs {
    static func copy(_ yardstick: Yardstick, _ pool: PostgresPool) async throws {
        try await yardstick.create(pool)
        _ = try await pool.execute(CopyToRaw())
    }

    static func drop(_ pool: PostgresPool, mustBeEmpty: Bool) async throws {
        let left = try await pool.execute(CountRaw())[0]
        if mustBeEmpty, left > 0 { throw Failure("raw left \(left) jobs: its rate is wrong") }
        try await pool.simple(
            """
            DROP TABLE tenure.raw_job, tenure.raw_history, tenure.raw_subject;
            DROP SEQUENCE tenure.raw_fence
            """)
    }
}

struct CopyToRaw: PostgresStatement {
    static let sql = "INSERT INTO tenure.raw_job SELECT * FROM tenure.job ORDER BY run_at, id"
}

struct CountRaw: PostgresStatement {
    static let sql = "SELECT count(*) FROM tenure.raw_job"
    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}
