public import TenureFoundation
public import TenurePostgres

/// A batch on its way in: a tree of jobs that is cancelled, counted and ended as one.
///
/// A batch has ended when none of its jobs is left unfinished, whatever became of them. What a
/// job of the batch enqueues in its commit belongs to it like its first jobs, unless
/// `EnqueueOptions.leavesBatch` says otherwise. A batch that has ended or was cancelled
/// takes no more: an enqueue for it throws a `PostgresError` with SQLSTATE `TN004`.
public struct NewBatch: Sendable {
    public let id: UUID
    let jobs: [NewJob]
    private(set) var followUp: NewJob?

    /// - Parameters:
    ///   - jobs: its first ones.
    ///   - followUp: enqueued once, in the transaction that ends the batch, after its last job's
    ///     end: also when jobs of it were discarded, and when it was cancelled. Its `parent` is the
    ///     batch's id; it doesn't belong
    ///     to the batch; `JobContext.endedBatch()` tells its handler how the batch ended.
    public init(id: UUID = JobID().uuid, _ jobs: [NewJob], whenEnded followUp: NewJob? = nil) {
        self.id = id
        self.jobs = jobs.map { $0.inBatch(id) }
        self.followUp = followUp?.under(JobID(id))
    }

    /// With its follow-up as it is stored.
    fileprivate func sealed(by seals: PayloadSeals) throws -> NewBatch {
        var batch = self
        batch.followUp = try followUp?.sealed(by: seals)
        return batch
    }

    /// None of its jobs is new whatever its key has already.
    var mayBeEmpty: Bool { !jobs.contains(where: \.isAlwaysNew) }
}

extension TenureClient {
    /// Starts a batch in a transaction of its own: all of its first jobs are enqueued, or none.
    /// Started again, as long as it is remembered, it stays as it is.
    /// - Returns: whether it was started now.
    /// - Throws: `PostgresError`, `TenureError`, `CancellationError`. It may have started all the
    ///   same when the connection broke on the way: start it again.
    @discardableResult
    public func start(_ batch: NewBatch) async throws -> Bool {
        try await pool.transaction(isolation: .readCommitted) { transaction in
            try await start(batch, in: transaction)
        }
    }

    /// Starts a batch with the caller's transaction, a handler's commit for one. One that turns out
    /// to have no job ends with it: it was given none, or older jobs of their keys stand for all.
    /// - Returns: whether it was started now: false where it had been before.
    @discardableResult
    public func start(_ batch: NewBatch, in transaction: PostgresTransaction) async throws -> Bool {
        let start = StartBatch(batch: try batch.sealed(by: seals))
        let isNew = try await withRemedy { try await transaction.execute(start) }
        guard isNew[0] else { return false }
        try enqueue(batch.jobs, in: transaction)
        if batch.mayBeEmpty { try settle(batch.id, with: transaction) }
        return true
    }

    /// Just before COMMIT, after all that was enqueued until now.
    private func settle(_ batch: UUID, with transaction: PostgresTransaction) throws {
        let told = Lock<[Wakeup]>([])
        try transaction.addBeforeCommit { transaction in
            let settled = try await transaction.execute(SettleBatches(batches: [batch]))
            told.withLock { $0 = settled.flatMap(\.wakeups) }
        }
        try transaction.addAfterCommit { [notifier] in
            await notifier.send(told.withLock { $0 })
        }
    }
}

/// Answers whether it was started now.
struct StartBatch: PostgresStatement {
    static let sql = "SELECT tenure.start_batch($1, $2)"
    let batch: NewBatch

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(batch.id)
        try parameters.append(
            batch.followUp.map { PostgresJSON(NewJob.json(of: [$0].sent.traced)) })
    }
}
