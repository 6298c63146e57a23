package import Tenure
package import TenurePostgres

/// Where runs commit: transactions, and what can be asked about them afterwards. The real one is
/// `PostgresCommits`; a simulation brings its own.
package protocol CommitStore: Sendable {
    associatedtype Transaction: CommitTransaction

    /// Commits when `body` returns, and rolls back when it throws. Begins with a look at the run,
    /// without locks: `body` is told what has become of it; nil while it is held.
    /// - Throws: what `body` throws; `PostgresError` with `.unknownCommit` when COMMIT was sent and
    ///   not answered.
    func transaction(
        of run: RunRef, _ body: (Transaction, LateResult.Became?) async throws -> Void
    ) async throws
    /// What became of a transaction whose COMMIT went unanswered; asks until the deadline.
    func outcome(
        of unknown: PostgresUnknownCommit, deadline: Duration
    ) async throws -> PostgresCommitStatus
    /// What the run's own rows say.
    func find(_ run: RunRef) async throws -> RunRows
    /// What has become of the run; nil while it is held.
    func verdict(of run: RunRef) async throws -> LateResult.Became?
    func send(_ wakeups: [Wakeup]) async
}

/// What a commit does in its transaction, beside the handler's own writes.
package protocol CommitTransaction {
    /// The commit's last statement: fence, follow-ups, outcome.
    func finish(_ run: RunInfo, _ outcome: JobOutcome) async throws -> Finished
    /// Holds the run's right until the transaction ends, with follow-ups.
    func hold(_ run: RunRef) async throws -> [Wakeup]
}

/// What a commit's last statement has done.
package struct Finished: Sendable {
    /// The outcome, or what was made of it: a job that was put off for too long is discarded.
    package let became: RunOutcome
    /// Whom to wake afterwards.
    package let wakeups: [Wakeup]

    package init(became: RunOutcome, wakeups: [Wakeup]) {
        self.became = became
        self.wakeups = wakeups
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
