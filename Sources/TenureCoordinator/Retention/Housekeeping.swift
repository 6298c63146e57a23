import Tenure
import TenurePostgres

/// What keeps the tables in shape: partitions days ahead, old ones dropped, idle keys forgotten.
struct Housekeeping: Sendable {
    let pool: PostgresPool
    let configuration: CoordinatorConfiguration
    private static let daysAhead: Int32 = 7
    private static let subjectsAtOnce: Int32 = 1000

    func run() async throws {
        for parent in ["job_history_ended", "job_history_discarded", "attempt_error"] {
            _ = try await pool.execute(MakePartitions(parent: parent, days: Self.daysAhead))
        }
        for (parent, kept) in [
            ("job_history_ended", configuration.keepEnded),
            ("job_history_discarded", configuration.keepDiscarded),
            ("attempt_error", max(configuration.keepDiscarded, .seconds(35 * 86_400))),
        ] {
            _ = try await pool.execute(DropPartitions(parent: parent, kept: kept))
        }
        while try await pool.execute(
            DropIdleSubjects(idle: configuration.keepIdleSubjects, most: Self.subjectsAtOnce)
        )[0] == Self.subjectsAtOnce {}
    }
}

struct MakePartitions: PostgresStatement {
    static let sql = "SELECT tenure.make_partitions($1, $2)"
    let parent: String
    let days: Int32

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(parent)
        try parameters.append(days)
    }
}

struct DropPartitions: PostgresStatement {
    static let sql = "SELECT tenure.drop_partitions($1, $2)"
    let parent: String
    let kept: Duration

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(parent)
        try parameters.append(kept)
    }
}

struct DropIdleSubjects: PostgresStatement {
    static let sql = "SELECT tenure.drop_idle_subjects($1, $2)"
    let idle: Duration
    let most: Int32

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(idle)
        try parameters.append(most)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
}
