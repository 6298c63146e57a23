package import Tenure

/// PostgreSQL with Tenure's schema, in memory: each function of the migrations as one atomic step.
///
/// What it answers and keeps is compared with the real functions on random sequences of
/// operations (`ComparisonTests`). Locks are those of open transactions only: of subjects and of
/// jobs, taken by a commit's last statement or a producer's enqueue and held to their end.
package final class SimulatedStore {
    /// By their places.
    package internal(set) var jobs: [JobRow] = []
    private var places: [JobID: Int] = [:]
    private var lastPlace = 0
    package internal(set) var history: [HistoryRow] = []
    package internal(set) var subjects: [SubjectName: SubjectRow] = [:]
    package internal(set) var sessions: [SessionRow] = []
    package internal(set) var queues: [QueueName: QueueRow] = [:]
    package internal(set) var lanes: [LaneName: LaneRow] = [:]
    package internal(set) var errors: [AttemptError] = []
    /// By who waits.
    package internal(set) var edges: [JobID: [EdgeRow]] = [:]
    /// By whom they wait for.
    var waiters: [JobID: Set<JobID>] = [:]
    /// How jobs ended that others wait for.
    package internal(set) var ends: [JobID: String] = [:]
    /// Of those, whose waiters have not been told.
    var unsettled: Set<JobID> = []
    var lastFence: Int64 = 0
    var lastGeneration: Int64 = 0
    var locks: [Lockable: Int] = [:]
    var transactions: [Int: OpenTransaction] = [:]
    var ended: [Int: Bool] = [:]
    /// What each transaction that has committed ended or held.
    var committedRuns: [Int: [RunRef]] = [:]
    var lastTransaction = 0
    var lastVersion = 0
    /// How often the clock was found set back.
    var clockSteps: Int64 = 0
    /// Changes with a crash.
    var incarnation = 1
    /// The transaction that is being applied: its own locks don't stand in its way.
    var current: Int?
    /// What the enqueue that is being applied sees, when it keeps a snapshot.
    var view: View?
    weak var watcher: (any StoreWatcher)?
    /// The database's clock, in nanoseconds.
    let clock: () -> Int64
    let flaw: Flaw?

    package init(flaw: Flaw? = nil, clock: @escaping () -> Int64) {
        self.flaw = flaw
        self.clock = clock
    }

    // MARK: Finding

    func index(_ id: JobID) -> Int? {
        guard let place = places[id] else { return nil }
        var found = jobs.indices
        while found.count > 1 {
            let middle = found.lowerBound + found.count / 2
            found =
                place < jobs[middle].place
                ? found.lowerBound..<middle : middle..<found.upperBound
        }
        return found.lowerBound
    }

    func index(_ run: RunRef) -> Int? {
        index(run.job).flatMap { jobs[$0].fence == run.fence.rawValue ? $0 : nil }
    }

    func indices(of subject: SubjectName) -> [Int] {
        jobs.indices.filter { jobs[$0].key == subject.key && jobs[$0].kind == subject.kind }
    }

    func hasRunning(_ subject: SubjectName) -> Bool {
        indices(of: subject).contains { jobs[$0].state == .running }
    }

    /// Whether the floor has risen above a job, or its generation was committed already.
    func isOutdated(_ job: JobRow) -> Bool {
        guard let subject = job.subject, let row = subjects[subject], let mine = job.generation
        else { return false }
        return row.floor > mine || row.committed >= mine
    }

    func nextFence() -> Int64 {
        lastFence += 1
        return lastFence
    }

    func nextGeneration() -> Int64 {
        lastGeneration += 1
        return lastGeneration
    }

    // MARK: Changing

    private func nextVersion() -> Int {
        lastVersion += 1
        return lastVersion
    }

    private func touch(_ subject: SubjectName?) {
        if let subject { watcher?.didTouch(subject) }
    }

    func change(_ index: Int, _ body: (inout JobRow) -> Void) {
        var job = jobs[index]
        body(&job)
        job.version = nextVersion()
        jobs[index] = job
        touch(job.subject)
    }

    func change(_ subject: SubjectName, _ body: (inout SubjectRow) -> Void) {
        var row = subjects[subject] ?? SubjectRow()
        body(&row)
        row.version = nextVersion()
        subjects[subject] = row
        touch(subject)
    }

    func insert(_ job: JobRow) {
        lastPlace += 1
        places[job.id] = lastPlace
        jobs.append(job)
        jobs[jobs.count - 1].place = lastPlace
        jobs[jobs.count - 1].version = nextVersion()
        touch(job.subject)
        watcher?.didInsert(job)
    }

    /// Moves a job into history.
    func retire(
        at index: Int, _ outcome: String, refund: Bool = false, result: String? = nil,
        reason: String? = nil, by successor: JobID? = nil, isUnbegun: Bool = false
    ) {
        let job = jobs.remove(at: index)
        places[job.id] = nil
        view?.retired.insert(job.id)
        touch(job.subject)
        if job.hasWaiters, flaw != .writesNoEnd {
            ends[job.id] = outcome
            unsettled.insert(job.id)
        }
        let row = HistoryRow(
            job: job, outcome: outcome, attempt: job.attempt - (refund ? 1 : 0), result: result,
            reason: reason, supersededBy: successor, isUnbegun: isUnbegun)
        if outcome != "completed" || queues[job.queue]?.keepsCompleted ?? true {
            history.append(row)
        }
        watcher?.didRetire(row)
    }
}

/// Told of what changes, at the moment it does.
protocol StoreWatcher: AnyObject {
    /// A key's subject or one of its jobs has changed.
    func didTouch(_ subject: SubjectName)
    func didInsert(_ job: JobRow)
    func didRetire(_ row: HistoryRow)
    func didClaim(_ job: JobRow, session: Int64)
    /// A run was reported, or reclaimed, and this became of its job.
    func didEnd(_ job: JobRow, wanted: String, became: String)
    func didDeclareDead(_ session: SessionRow)
    func didBeat(_ session: Int64)
    func didCommit(_ transaction: OpenTransaction)
}

/// A function of the database refused: `TN001` is a late result, `TN002` a session that is over.
package struct StoreRefusal: Error {
    package let sqlState: String
    package var detail: String?

    package init(sqlState: String, detail: String? = nil) {
        self.sqlState = sqlState
        self.detail = detail
    }
}
