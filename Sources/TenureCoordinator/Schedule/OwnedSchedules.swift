// docs/decisions/schedules.md

import Logging
import Tenure
import TenureFoundation
import TenurePostgres

/// The schedules that a program's code declares: those of its owner's name are these and no others.
///
/// One coordinator of each owner leads, and its code counts: it puts in place what it declares,
/// when it takes the lead, and removes what it doesn't. So two releases that run side by side don't
/// undo each other's, and a restarted one that doesn't lead changes nothing.
struct OwnedSchedules: Sendable {
    let owner: String
    let schedules: [Schedule]

    /// Who leads among the coordinators of this owner.
    var role: String { "schedules of \(owner)" }

    /// - Throws: `TenureError` with `.invalidConfiguration`.
    init(owner: String, _ schedules: [Schedule]) throws {
        if let wrong = JobLimits.wrong(name: owner, longest: JobLimits.longestName) {
            throw TenureError(.invalidConfiguration, "the schedules' owner \(wrong)")
        }
        var names: Set<String> = []
        for schedule in schedules where !names.insert(schedule.name).inserted {
            throw TenureError(
                .invalidConfiguration,
                "two schedules are named \(schedule.name); give each a name of its own")
        }
        self.owner = owner
        self.schedules = schedules
    }

    /// The names of those that stand otherwise than they are declared here, as far as their times
    /// and their kinds tell.
    func differences(_ pool: PostgresPool) async throws -> [String] {
        let standing = try await pool.ask(ListSchedules()).filter { $0.owner == owner }
        let theirs = Set(standing.map { Standing(name: $0.name, ticks: $0.ticks, kind: $0.kind) })
        let ours = Set(
            schedules.map { Standing(name: $0.name, ticks: $0.ticks, kind: $0.job.kind) })
        return Set(ours.symmetricDifference(theirs).map(\.name)).sorted()
    }

    private struct Standing: Hashable {
        let name: String
        let ticks: Ticks
        let kind: JobKind
    }

    /// Each for itself: one that can't be put in place is said, and keeps no other from its place.
    /// - Throws: what may pass by itself: then it is all done again.
    func putInPlace(_ pool: PostgresPool, _ logger: Logger) async throws {
        for schedule in schedules {
            do {
                let put = PutOwnedSchedule(schedule: schedule, owner: owner)
                if case .belongs(let whom) = try await pool.ask(put)[0] {
                    logger.error(
                        "a schedule of that name is somebody else's: rename one of the two",
                        metadata: [
                            "schedule": "\(schedule.name)", "schedule.owner": "\(whom ?? "nobody")",
                        ])
                }
            } catch let error as PostgresError where !error.mayPass {
                logger.error(
                    "a schedule can't be put in place; the others are",
                    metadata: ["schedule": "\(schedule.name)", "error": "\(error)"])
            }
        }
        let gone = RemoveUndeclared(owner: owner, declared: schedules.map(\.name))
        for name in try await pool.ask(gone) {
            logger.info(
                "removed a schedule that this program declares no more",
                metadata: ["schedule": "\(name)"])
        }
    }
}

extension PostgresError {
    /// Says nothing of the schedule.
    fileprivate var mayPass: Bool {
        isTransient || sqlState == nil || sqlState == "55P03"
    }
}

/// Adds or changes a schedule of an owner, unless one of its name is somebody else's.
struct PutOwnedSchedule: PostgresStatement {
    static let sql = """
        WITH theirs AS MATERIALIZED (
            SELECT s.job ->> 'owner' AS owner FROM tenure.schedule s
            WHERE s.name = $1 AND (s.job ->> 'owner') IS DISTINCT FROM $6
        )
        SELECT (SELECT t.owner FROM theirs t),
               CASE WHEN NOT EXISTS (SELECT FROM theirs)
                    THEN tenure.put_schedule(
                        $1, $2, $3, $4, ($5::jsonb -> 0) || jsonb_build_object('owner', $6::text),
                        true) END
        """
    let schedule: Schedule
    let owner: String

    enum Answer: Sendable {
        case next(Date)
        case belongs(to: String?)
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(schedule.name)
        try schedule.ticks.bind(&parameters)
        try parameters.append(PostgresJSON(NewJob.json(of: [schedule.job])))
        try parameters.append(owner)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Answer {
        if let next = try row.decode(1, as: Date?.self) { return .next(next) }
        return .belongs(to: try row.decode(0, as: String?.self))
    }
}

/// What an owner declares no more; returns the names.
struct RemoveUndeclared: PostgresStatement {
    static let sql = "SELECT f FROM tenure.forget_schedules($1, $2) AS f"
    let owner: String
    let declared: [String]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(owner)
        try parameters.append(declared)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
