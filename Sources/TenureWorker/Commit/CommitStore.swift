package import Tenure
package import TenurePostgres

/// Where runs commit: transactions, and what can be asked about them afterwards. The real one is
/// `PostgresCommits`; a simulation brings its own.
package protocol CommitStore: Sendable {
    associatedtype Transaction: CommitTransaction

    /// Commits when `body` returns, and rolls back when it throws. Begins with a look at the runs,
    /// without locks: `body` is told what has become of those that are not held.
    ///
    /// That of several runs waits for no lock for long: it fails instead.
    /// - Throws: what `body` throws; `PostgresError` with `.unknownCommit` when COMMIT was sent and
    ///   not answered.
    func transaction(
        of runs: [RunRef], _ body: (Transaction, LateRuns) async throws -> Void
    ) async throws
    /// What became of a transaction whose COMMIT went unanswered; asks until the deadline.
    func outcome(
        of unknown: PostgresUnknownCommit, deadline: Duration
    ) async throws -> PostgresCommitStatus
    /// What the run's own rows say.
    func find(_ run: RunRef) async throws -> RunRows
    /// What has become of the runs; nothing of those that are held.
    func verdicts(of runs: [RunRef]) async throws -> LateRuns
    func send(_ wakeups: [Wakeup]) async
    /// These have ended with a commit, and others wait for them. Never waits.
    func tell(awaited jobs: [JobID])
}

/// Nobody waits where nobody can be told.
extension CommitStore {
    package func tell(awaited jobs: [JobID]) {}
}

/// What a commit does in its transaction, beside the handler's own writes.
package protocol CommitTransaction {
    /// The commit's last statement: fence, follow-ups, outcome.
    func finish(_ run: RunInfo, _ outcome: JobOutcome) async throws -> Finished
    /// The last statement of a chunk's commit: all fences, follow-ups, all outcomes.
    func finish(_ ends: [RunToEnd]) async throws -> FinishedChunk
    /// Holds the run's right until the transaction ends, with follow-ups and what it has logged.
    func hold(_ run: RunRef, log: String?) async throws -> [Wakeup]
}

/// What a commit's last statement has done.
package struct Finished: Sendable {
    /// The outcome, or what was made of it: a job that was put off for too long is discarded.
    package let became: RunOutcome
    /// Whom to wake afterwards.
    package let wakeups: [Wakeup]
    /// Other jobs wait for its end.
    package let isAwaited: Bool

    package init(became: RunOutcome, wakeups: [Wakeup], isAwaited: Bool = false) {
        self.became = became
        self.wakeups = wakeups
        self.isAwaited = isAwaited
    }
}

/// Runs that lost their right, each with what has become of it.
package typealias LateRuns = [RunRef: LateResult.Became]

/// How a commit is to end a run.
package struct RunToEnd: Sendable {
    package let run: RunInfo
    package let outcome: JobOutcome
    package var ref: RunRef { RunRef(job: run.job, fence: run.fence) }

    package init(_ run: RunInfo, _ outcome: JobOutcome) {
        self.run = run
        self.outcome = outcome
    }
}

/// What the last statement of a chunk's commit has done.
package struct FinishedChunk: Sendable {
    package let became: [RunRef: RunOutcome]
    /// Whom to wake afterwards.
    package let wakeups: [Wakeup]
    /// Those for whose ends other jobs wait.
    package let awaited: [JobID]

    package init(
        became: [RunRef: RunOutcome], wakeups: [Wakeup], awaited: [JobID] = []
    ) {
        self.became = became
        self.wakeups = wakeups
        self.awaited = awaited
    }
}

/// What a run's own rows say of its end.
package enum RunRows: Equatable, Sendable {
    /// Still this run's: nothing was committed.
    case held
    /// The job ended by this run's fence, with this outcome; that may be another's doing.
    case ended(as: RunOutcome)
    /// The job was put back, and had this state when somebody looked, or goes on elsewhere.
    case putBack(as: RunOutcome)
    /// The session was dead, and nobody's commit came before.
    case reclaimed
    /// Nothing is left of the job: its queue keeps no completed ones.
    case unkept
}
