import Tenure
import TenureFoundation
import TenurePostgres

/// What keeps the tables in shape: partitions days ahead, old ones dropped, idle keys and lanes
/// forgotten. Every `CoordinatorConfiguration.housekeeping`.
struct Housekeeping: Sendable {
    let pool: PostgresPool
    let configuration: CoordinatorConfiguration
    private static let atOnce: Int32 = 1000
    private static let errorsKept = Duration.seconds(35 * 86_400)

    /// What goes wrong with one keeps no other from its turn: a partition may be in use for hours.
    /// - Throws: the first of the errors, when all had their turn.
    func run() async throws {
        var first: (any Error)?
        for step in steps {
            do {
                try await step()
            } catch {
                if error is CancellationError || Task.isCancelled { throw error }
                first = first ?? error
            }
        }
        if let first { throw first }
    }

    private var steps: [() async throws -> Void] {
        [
            { try await Partitions.makeAhead(pool: pool) },
            { try await drop("job_history_ended", configuration.keepEnded) },
            { try await drop("job_history_discarded", configuration.keepDiscarded) },
            { try await drop("attempt_error", max(configuration.keepDiscarded, Self.errorsKept)) },
            { _ = try await pool.execute(DropProgress(kept: keptLongest)) },
            { _ = try await pool.execute(DropSteps(kept: keptLongest)) },
            { _ = try await pool.execute(ForgetSessions()) },
            forgetGivenIDs, dropTags, dropBatches, dropKeptKeys, dropIdleSubjects, dropActions,
            { _ = try await pool.execute(RecallLanes()) },
            dropIdleLanes,
        ]
    }

    private var keptLongest: Duration {
        max(configuration.keepEnded, configuration.keepDiscarded)
    }

    private func drop(_ parent: String, _ kept: Duration) async throws {
        _ = try await pool.execute(DropPartitions(parent: parent, kept: kept))
    }

    private func dropBatches() async throws {
        while try await pool.execute(DropBatches(idle: configuration.keepDiscarded))[0] > 0 {}
    }

    private func dropKeptKeys() async throws {
        while try await pool.execute(DropKeptKeys(most: Self.atOnce))[0] == Self.atOnce {}
    }

    private func dropIdleSubjects() async throws {
        while try await pool.execute(
            DropIdleSubjects(idle: configuration.keepIdleSubjects, most: Self.atOnce)
        )[0] == Self.atOnce {}
    }

    private func dropActions() async throws {
        while try await pool.execute(
            DropActions(kept: configuration.keepActions, most: Self.atOnce)
        )[0] == Self.atOnce {}
    }

    private func dropIdleLanes() async throws {
        let idle = max(configuration.keepIdleLanes, keptLongest + .seconds(86_400))
        while try await pool.execute(
            DropIdleLanes(idle: idle, most: Self.atOnce)
        )[0] == Self.atOnce {}
    }
}

struct DropPartitions: PostgresStatement {
    static let sql = "SELECT tenure.forget_history($1, $2)"
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

extension Housekeeping {
    /// What tags and logs are left of jobs that nobody keeps.
    private func dropTags() async throws {
        var last: UUID?
        repeat {
            last = try await pool.execute(
                DropTags(kept: keptLongest, past: last, most: Self.atOnce))[0]
        } while last != nil
    }
}

/// Forgets tags and logs, of so many jobs at a time. The answer says where to go on.
struct DropTags: PostgresStatement {
    static let sql = "SELECT tenure.drop_tags($1, $2, $3)"
    let kept: Duration
    let past: UUID?
    let most: Int32

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kept)
        try parameters.append(past)
        try parameters.append(most)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> UUID? { try row.decode(0) }
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

/// Forgets sessions that have been over for a week, and notes of theirs that came late.
struct ForgetSessions: PostgresStatement {
    static let sql = "SELECT tenure.forget_sessions()"
}

/// Forgets batches that have been over for as long as history goes back.
struct DropBatches: PostgresStatement {
    static let sql = "SELECT tenure.drop_batches($1, 1000)"
    let idle: Duration

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(idle) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
}

/// Forgets which finished jobs stand for their keys, when that is over.
struct DropKeptKeys: PostgresStatement {
    static let sql = "SELECT tenure.drop_kept_keys($1)"
    let most: Int32

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(most) }

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
