public import FoundationEssentials
public import TenurePostgres

/// A run on its way in: a tree of jobs that is cancelled, counted and ended as one.
///
/// A run has ended when none of its jobs is left unfinished, whatever became of them. Follow-ups
/// that a job of the run enqueues in its commit, with `EnqueueOptions.run` set to
/// `JobContext.runID`, belong to it like its first jobs. A run that has ended or was cancelled
/// takes no more: an enqueue for it throws a `PostgresError` with SQLSTATE `TN004`.
public struct NewRun: Sendable {
    public let id: UUID
    let jobs: [NewJob]
    let followUp: NewJob?

    /// - Parameters:
    ///   - jobs: its first ones.
    ///   - followUp: enqueued once, in the transaction that ends the run, after its last job's
    ///     end: also when jobs of it were discarded, and when it was cancelled. It doesn't belong
    ///     to the run; `Inspector.progress(ofRun:)` tells it how the run ended.
    public init(id: UUID = JobID().uuid, _ jobs: [NewJob], whenEnded followUp: NewJob? = nil) {
        self.id = id
        self.jobs = jobs.map { $0.inRun(id) }
        self.followUp = followUp
    }
}

extension TenureClient {
    /// Starts a run in a transaction of its own: all of its first jobs are enqueued, or none.
    /// Started again, as long as it is remembered, it stays as it is.
    /// - Returns: whether it was started now.
    /// - Throws: `PostgresError`, `TenureError`, `CancellationError`. It may have started all the
    ///   same when the connection broke on the way: start it again.
    @discardableResult
    public func start(_ run: NewRun) async throws -> Bool {
        try await pool.transaction { transaction in try await start(run, in: transaction) }
    }

    /// Starts a run with the caller's transaction, a handler's commit for one.
    /// - Returns: whether it was started now: false where it had been before.
    @discardableResult
    public func start(_ run: NewRun, in transaction: PostgresTransaction) async throws -> Bool {
        guard try await transaction.execute(StartRun(run: run))[0] else { return false }
        try enqueue(run.jobs, in: transaction)
        return true
    }
}

/// Answers whether it was started now.
struct StartRun: PostgresStatement {
    static let sql = "SELECT tenure.start_run($1, $2)"
    let run: NewRun

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.id)
        try parameters.append(run.followUp.map { PostgresJSON(NewJob.json(of: [$0].sent.traced)) })
    }
}
