public import Logging
public import Tenure
public import TenureFoundation

/// What a handler knows of its run, and what it may do under the run's right.
///
/// Sendable: hand it to child tasks freely. It is of no use after the handler has returned: what
/// would write then throws `TenureError` with `.misuse`, a report is dropped, and the log says so.
public struct JobContext: Sendable {
    public var jobID: JobID { run.job }
    public var kind: JobKind { run.kind }
    public var queue: QueueName { run.queue }
    public var key: String? { run.key }
    /// The lane that it was claimed from.
    public var lane: String? { held.job.lane }
    public var generation: Generation? { run.generation }
    /// This run's number: larger than that of every earlier run of the job. Hand it to outside
    /// systems that can refuse a smaller one than they have seen.
    public var fence: Fence { run.fence }
    /// 1 for the first run that counts.
    public var attempt: Int { run.attempt }
    public var maxAttempts: Int { held.job.maxAttempts }
    /// All runs so far, this one included, refunded ones too.
    public var runs: Int { held.job.runs }
    public var enqueuedAt: Date { held.job.createdAt }
    public var runAt: Date { held.job.runAt }
    /// The batch it belongs to.
    public var batchID: UUID? { held.job.batchID }
    /// The job that enqueued it, as far as that said so; for `NewBatch`'s `whenEnded` the batch.
    public var parent: JobID? { held.job.parent }
    /// The trace context of the enqueue: a W3C `traceparent`, or a JSON object of the fields that
    /// its tracer carried. What the handler enqueues goes on from the run's own span.
    public var trace: String? { held.job.trace }
    /// Goes to the process's log, and carries the run's keys; with `JobOptions.keepsLog` the last
    /// lines are kept with the job, too. Made anew at each call: keep it where you log often.
    public var log: Logger {
        var logger = shared.logger
        for (key, value) in run.metadata { logger[metadataKey: key] = value }
        return held.log?.joined(to: logger) ?? logger
    }
    /// Enqueues follow-ups: with `in: transaction` inside `commit` they are part of it, and of the
    /// job's batch.
    public var client: TenureClient { shared.client }

    package var run: RunInfo { held.info }
    let held: Run
    private var shared: ContextServices
    var commits: PostgresCommits {
        PostgresCommits(pool: client.pool, notifier: client.notifier)
    }

    init(_ run: Run, _ shared: ContextServices) {
        held = run
        self.shared = shared
    }

    /// Why the run has to stop, once it has to. The tasks are cancelled then.
    public var endReason: EndReason? { held.right.reason }

    /// Throws `CancellationError` when the run's right is gone, by the clock and not only by a
    /// flag: a process that was frozen finds out here. Call it before each outside effect.
    public func checkRight() throws { try held.checkRight() }

    /// The batch whose end has enqueued this job, with its numbers and its jobs' results.
    /// - Returns: nil for a job that is no batch's `whenEnded`, and for a batch that is forgotten.
    public func endedBatch() async throws -> EndedBatch? {
        guard let parent else { return nil }
        return try await Inspector(pool: client.pool, codec: client.seals.codec)
            .endedBatch(parent.uuid)
    }

    /// Tells operators how far the run has come: `tenure job show` and `Inspector.job(_:)` say it.
    ///
    /// Neither waits nor fails, and may be called as often as one likes: of each run the newest
    /// report goes with the next heartbeat, a few seconds later at most while the database is
    /// there. It stands as the job's last known progress, after the run's end too and over a
    /// killed worker, until a later run reports or history drops the job. It is not behind the
    /// fence and decides nothing: what a later run has to know belongs into `checkpoint`.
    public func progress(
        done: Int64, total: Int64? = nil, rate: Double? = nil, note: String? = nil
    ) {
        held.report(JobProgress(done: done, total: total, rate: rate, note: note))
    }

    /// Writes, follow-up jobs and the job's completion in one transaction, behind the fence.
    ///
    /// What any client enqueues in it belongs to the job's batch, where it has one, unless its
    /// options name another or leave it (`EnqueueOptions.leavesBatch`).
    ///
    /// After return all of it is committed, and the value says so: return it. The job's subject
    /// and row are locked last, for a moment. Do the slow work before, not inside.
    /// - Parameter outcome: how the job ends; `.completed` unless said otherwise.
    /// - Throws: `LateResult` when the fence or generation is gone; `TenureError` with `.misuse`
    ///   when a commit of this run has ended the job already; whatever `body` throws; or a
    ///   `PostgresError`. Nothing of the transaction is there then: a connection lost during
    ///   COMMIT is settled first. Only where that can't be found out (the database is away for
    ///   half a minute, or crashed and the job's rows don't tell) does an error with the code
    ///   `.unknownCommit` come through: it may be there.
    public func commit(
        _ outcome: JobOutcome = .completed,
        _ body: @Sendable (PostgresTransaction) async throws -> Void = { _ in }
    ) async throws -> JobOutcome {
        try checkCommit(as: outcome)
        return try await held.commit(outcome, on: commits) { transaction in
            join(transaction)
            try await body(transaction)
        }
    }

    /// What is enqueued in the transaction belongs to the job's batch.
    private func join(_ transaction: PostgresTransaction) {
        if let batch = batchID { transaction.attach(FollowUpBatch(batch)) }
    }

    /// Before anything is written.
    private func checkCommit(as outcome: JobOutcome) throws {
        try held.checkNotEnded()
        _ = try outcome.wanted()
    }

    /// Ends the job in one transaction with others that are ready, whose writer writes them all.
    ///
    /// Returns and throws as ``commit(_:_:)`` does, and what it throws is this job's own. A member
    /// that is late, cancelled or timed out leaves nothing and spoils nothing. Where a write fails,
    /// the chunk is split until the job that is to blame is alone: there the error comes out, and
    /// no other job is charged. A deadlock is tried again, and a chunk that waits for a row for too
    /// long, another chunk's for one, is split like one that fails; the log says when and why.
    ///
    /// Until its transaction is sent off the job waits here, under its own timeout; with the
    /// writer's defaults for nothing but others' transactions. A chunk waits 200 ms for a row that
    /// somebody has locked, then its halves do; a job that is alone waits as ever.
    public func commit<Value>(
        _ value: Value, by writer: ChunkWriter<Value>, as outcome: JobOutcome = .completed
    ) async throws -> JobOutcome {
        try writer.bounds.check()
        try checkCommit(as: outcome)
        var member = self
        member.shared = ContextServices(
            client: client.enqueueing(into: batchID.map { FollowUpBatch($0) }),
            logger: shared.logger)
        let gatherer = held.gatherer(of: writer, writer.bounds, on: commits) {
            try await writer.write($0, $1)
        }
        return try await held.commit(
            ChunkMember(context: member, value: value), outcome, in: gatherer)
    }

    /// Writes behind the fence that don't end the job: a checkpoint that a later run, on any
    /// worker, can go on from. Throws as `commit` does.
    public func checkpoint(
        _ body: @Sendable (PostgresTransaction) async throws -> Void
    ) async throws {
        try held.checkNotEnded()
        try await held.checkpoint(on: commits) { transaction in
            join(transaction)
            try await body(transaction)
        }
    }

    /// Lets the job go on in another lane of its queue, with another payload, as soon as that lane
    /// has room: a redirect that leads to another host. It stays the same job, with its id, its
    /// key and its attempts, and this run costs none (a thousand times at most).
    /// - Parameters:
    ///   - lane: made where it is missing; the limits of one that is there stay.
    ///   - body: what the next run has to know and no payload is to say, behind the fence.
    /// - Returns: the value to return. After it, the job may already run elsewhere.
    /// - Throws: as `commit` does; `TenureError` with `.misuse` for a payload of another kind, or
    ///   with `.invalidJob` for a payload or a lane that breaks a limit.
    public func goOn(
        in lane: Lane, as job: some Job,
        _ body: @Sendable (PostgresTransaction) async throws -> Void = { _ in }
    ) async throws -> JobOutcome {
        let other = type(of: job).kind
        guard other == kind else {
            throw TenureError(
                .misuse,
                "job \(jobID) goes on as what it is, of kind \(kind), and can't as kind \(other); "
                    + "give a payload of its kind, or enqueue another job in its commit")
        }
        var options = EnqueueOptions()
        options.lane = lane
        let content = try NewJob(job, options: options).sealed(by: client.seals, of: jobID)
        let moved = JobOutcome(way: .moved(content))
        let outcome = try await commit(moved, body)
        await client.notifier.send([.available(in: queue)])
        return outcome
    }

    /// Ends the job inside a transaction that belongs to another driver: make it that
    /// transaction's last statement, and return the value after its commit. Where that was rolled
    /// back, or is still open, the attempt has failed.
    /// - Throws: whatever the executor throws; an error with SQLSTATE `TN001` means that the
    ///   result is late: roll back.
    public func finish(
        _ outcome: JobOutcome = .completed, on executor: some SQLExecutor
    ) async throws -> JobOutcome {
        try held.checkNotEnded()
        try await held.received()
        let (sql, parameters) = try ForeignFinish.statement(
            held.sealed(outcome).logging(held.loggedLines), run: run,
            schema: client.pool.configuration)
        _ = try await executor.execute(sql: sql, parameters: parameters)
        return JobOutcome(way: .committed(became: outcome.expected, by: held.ref))
    }

    /// For a run that another program ends, by `tenure.finish(job, fence, …)` in a transaction of
    /// its own: looks whether it has, after that program is done.
    /// - Returns: the value to return: completed, discarded, or put back for a later run.
    /// - Throws: `LateResult` when the run was reclaimed, cancelled or superseded instead;
    ///   `TenureError` with `.notFound` when nobody has ended it: a failed attempt.
    public func finishedElsewhere() async throws -> JobOutcome {
        // Reason for `try?`: where another program has ended the job first, that is what counts.
        try? await held.received()
        let ref = RunRef(job: jobID, fence: fence)
        switch try await commits.find(ref) {
        case .ended(let outcome):
            if let late = LateResult.Became(outcome) {
                throw LateResult(job: jobID, fence: fence, became: late, cause: nil)
            }
            return held.didCommit(as: outcome)
        case .putBack(let state): return held.didCommit(as: state)
        // Where a queue keeps nothing, a row that is gone is all there is to see.
        case .unkept: return held.didCommit(as: .job(.completed))
        case .reclaimed: throw LateResult(job: jobID, fence: fence, became: .lost, cause: nil)
        case .held:
            throw TenureError(
                .notFound,
                "nobody has ended this run: call tenure.finish('\(jobID)', \(fence)) as the last "
                    + "statement of the other program's transaction, and let it commit")
        }
    }
}
