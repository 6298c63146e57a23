import FoundationEssentials
import Tenure
import TenurePostgres

/// What keeps the tables in shape: partitions days ahead, old ones dropped, idle keys and lanes
/// forgotten.
struct Housekeeping: Sendable {
    let pool: PostgresPool
    let configuration: CoordinatorConfiguration
    private static let atOnce: Int32 = 1000

    func run() async throws {
        try await Partitions.makeAhead(pool: pool)
        for (parent, kept) in [
            ("job_history_ended", configuration.keepEnded),
            ("job_history_discarded", configuration.keepDiscarded),
            ("attempt_error", max(configuration.keepDiscarded, .seconds(35 * 86_400))),
        ] {
            _ = try await pool.execute(DropPartitions(parent: parent, kept: kept))
        }
        let keptLongest = max(configuration.keepEnded, configuration.keepDiscarded)
        _ = try await pool.execute(DropProgress(kept: keptLongest))
        _ = try await pool.execute(ForgetSessions())
        try await forgetGivenIDs()
        while try await pool.execute(DropRuns(idle: configuration.keepDiscarded))[0] > 0 {}
        while try await pool.execute(
            DropIdleSubjects(idle: configuration.keepIdleSubjects, most: Self.atOnce)
        )[0] == Self.atOnce {}
        _ = try await pool.execute(RecallLanes())
        while try await pool.execute(
            DropIdleLanes(idle: configuration.keepIdleLanes, most: Self.atOnce)
        )[0] == Self.atOnce {}
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

extension Housekeeping {
    /// The ids that callers gave their jobs, once neither the jobs nor their history are kept. A
    /// job is in history for at least the shorter time from its enqueue on: younger ids aren't
    /// looked at.
    private func forgetGivenIDs() async throws {
        let kept = min(configuration.keepEnded, configuration.keepDiscarded)
        var last: DropGivenIDs.Place?
        repeat {
            last = try await pool.execute(
                DropGivenIDs(kept: kept, past: last, most: Self.atOnce)
            ).first
        } while last != nil
    }
}

/// Forgets given ids, so many at a time. A row says where to go on.
struct DropGivenIDs: PostgresStatement {
    struct Place: Sendable {
        let givenAt: Date
        let id: UUID
    }

    static let sql = "SELECT d.given_at, d.id FROM tenure.drop_given_ids($1, $2, $3, $4) AS d"
    let kept: Duration
    let past: Place?
    let most: Int32

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kept)
        try parameters.append(past?.givenAt)
        try parameters.append(past?.id)
        try parameters.append(most)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Place {
        Place(givenAt: try row.decode(0), id: try row.decode(1))
    }
}

/// Forgets sessions that have been over for a week.
struct ForgetSessions: PostgresStatement {
    static let sql = """
        DELETE FROM tenure.session
        WHERE reclaimed_at < clock_timestamp() - interval '7 days'
        """
}

/// Forgets trees of jobs that have been over for as long as history goes back.
struct DropRuns: PostgresStatement {
    static let sql = "SELECT tenure.drop_runs($1, 1000)"
    let idle: Duration

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(idle) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
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

/// Wakes lanes that a clock set back has left asleep.
struct RecallLanes: PostgresStatement {
    static let sql = "SELECT tenure.recall_lanes()"
}

struct DropIdleLanes: PostgresStatement {
    static let sql = "SELECT tenure.drop_idle_lanes($1, $2)"
    let idle: Duration
    let most: Int32

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(idle)
        try parameters.append(most)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
}
