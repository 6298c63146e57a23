public import Tenure
public import TenureFoundation
import TenurePostgres

/// The schedules in the database, for programs and operators. A coordinator fires them.
public struct Schedules: Sendable {
    private let pool: PostgresPool
    private let whom: String
    /// Nil where whoever calls writes the act down.
    private var source: ActionSource? = .library
    private var reason: String?

    private var doer: Doer? { source.map { Doer(whom, from: $0, because: reason) } }

    /// - Parameter whom: who changes them, for those who look later.
    public init(pool: PostgresPool, as whom: String) {
        self.pool = pool
        self.whom = whom
    }

    /// The same for those who act from elsewhere than a program; nil: they write it down.
    package func acting(
        from source: ActionSource?, because reason: String? = nil
    ) -> Schedules {
        var schedules = self
        (schedules.source, schedules.reason) = (source, reason)
        return schedules
    }

    /// By name.
    public func list() async throws -> [ScheduleStatus] {
        try await pool.ask(ListSchedules())
    }

    /// Those behind the last of a list, for the one that follows.
    package func list(after last: String?, limit: Int) async throws -> [ScheduleStatus] {
        try await pool.ask(ListSchedules(after: last, limit: limit))
    }

    /// - Returns: nil when there is none of that name.
    public func status(of name: String) async throws -> ScheduleStatus? {
        try await pool.ask(ListSchedules(name: name)).first
    }

    /// - Returns: the next tick; nil, and nothing is done, when there is a schedule of that name
    ///   and it may not be replaced.
    /// - Throws: `PostgresError` with SQLSTATE TN003 when the expression or the zone is wrong: its
    ///   message and hint say how.
    public func add(_ schedule: Schedule, replacing: Bool = false) async throws -> Date? {
        try await pool.ask(PutSchedule(schedule: schedule, replacing: replacing, doer: doer))[0]
    }

    /// The same with the caller's transaction: the schedule is there if what it is for is.
    public func add(
        _ schedule: Schedule, replacing: Bool = false, in transaction: PostgresTransaction
    ) async throws -> Date? {
        let put = PutSchedule(schedule: schedule, replacing: replacing, doer: doer)
        return try await withRemedy { try await transaction.execute(put) }[0]
    }

    /// The first ticks after a moment, 10,000 at most.
    /// - Throws: `TenureError` with `.invalidConfiguration` for an interval that no schedule may
    ///   have, or with `.invalidJob` for a count out of bounds; `PostgresError` with SQLSTATE
    ///   TN003 for an expression that can't be read.
    public func ticks(of ticks: Ticks, after moment: Date, count: Int) async throws -> [Date] {
        try ticks.checkInterval("ticks come")
        try JobLimits.check(count, of: "count", in: 0...10_000)
        return try await pool.ask(NextTicks(ticks: ticks, after: moment, count: count))
    }

    /// The next times at which it will fire, as if it were not paused: of ticks that nobody came to
    /// the first one alone.
    package func nextTicks(of schedule: ScheduleStatus, count: Int) async throws -> [Date] {
        let now = Date()
        let later = try await ticks(
            of: schedule.ticks, after: max(schedule.nextAt, now), count: count - 1)
        return [schedule.nextAt] + later
    }

    /// Jobs that it has enqueued go on.
    /// - Returns: whether there was one of that name.
    public func remove(_ name: String) async throws -> Bool {
        try await !change(RemoveSchedule(name: name), "remove", name).isEmpty
    }

    /// The same with the caller's transaction.
    public func remove(_ name: String, in transaction: PostgresTransaction) async throws -> Bool {
        try await withRemedy {
            let rows = try await transaction.execute(RemoveSchedule(name: name))
            if !rows.isEmpty, let doer {
                _ = try await transaction.execute(Self.action(of: doer, "remove", name))
            }
            return !rows.isEmpty
        }
    }

    /// No tick until it is resumed. Who paused it first is remembered.
    /// - Returns: whether there is one of that name.
    public func pause(_ name: String) async throws -> Bool {
        try await !change(PauseSchedule(name: name, whom: whom), "pause", name).isEmpty
    }

    /// Goes on with the next tick from now: those missed are not made up for.
    /// - Returns: whether it was paused; nil when there is none of that name.
    public func resume(_ name: String) async throws -> Bool? {
        try await change(ResumeSchedule(name: name), "resume", name, where: { $0 }).first
    }

    /// Enqueues the schedule's job now, beside its ticks: the next one comes when it would, and a
    /// schedule that is paused stays so. Whatever its key's mode says of an unfinished job holds
    /// here, too: with a key that is kept nothing is added while a job of it is unfinished.
    ///
    /// After return the job is committed. A queue's capacity refuses no schedule's job.
    /// - Returns: what became of it; nil when there is no schedule of that name.
    /// - Throws: `PostgresError` with SQLSTATE TN003 when the schedule's job can't be enqueued,
    ///   such as one that was changed by hand: its message says why.
    public func trigger(_ name: String) async throws -> EnqueuedJob? {
        let triggered = try await withRemedy {
            try await pool.transaction(isolation: .readCommitted) { transaction in
                let rows = try await transaction.execute(TriggerSchedule(name: name))
                transaction.keepDurable()
                if let job = rows.first?.job, job.result != .kept, let doer {
                    let about: [String: PayloadValue] = [
                        "name": .text(name), "ids": .array([.text("\(job.id)")]),
                    ]
                    _ = try await transaction.execute(
                        doer.action("trigger", "schedule", about, jobs: 1))
                }
                return rows.first
            }
        }
        if let triggered { await TenureClient(pool: pool).notifier.send(triggered.wakeups) }
        return triggered?.job
    }

    private func change<Statement: PostgresStatement>(
        _ statement: Statement, _ verb: String, _ name: String,
        where counts: (Statement.Row) -> Bool = { _ in true }
    ) async throws -> [Statement.Row] {
        guard let doer else { return try await pool.ask(statement) }
        return try await pool.change(
            statement, noted: Self.action(of: doer, verb, name), where: counts)
    }

    private static func action(of doer: Doer, _ verb: String, _ name: String) -> NoteAction {
        doer.action(verb, "schedule", ["name": .text(name)])
    }
}
