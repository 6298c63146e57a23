public import Logging
import TenureFoundation
@_exported public import TenurePostgres

/// What a producer holds: enqueues jobs, alone, in bulk, or inside the caller's transaction.
///
/// Cheap to copy. Wake-ups for idle workers are sent after the commit, coalesced, on its own
/// connection or another one of the pool; whether one arrives changes only how soon a job is
/// picked up.
public struct TenureClient: Sendable {
    package let pool: PostgresPool
    package let notifier: Notifier
    package let seals: PayloadSeals
    let ends: EndWatch
    /// What it gathers in transactions belongs to this batch, as in `FollowUpBatch`.
    private var batch: FollowUpBatch?
    /// From where those act who operate with it.
    package private(set) var source = ActionSource.library
    private let kept = KeptQueues()
    private let bounds = QueueCapacities()
    private let logger: Logger

    /// - Parameter codec: how what is sent with it is stored, and results are read; nil: as JSON.
    public init(
        pool: PostgresPool, codec: (any PayloadCodec)? = nil,
        logger: Logger = Logger(label: "tenure.client")
    ) {
        self.pool = pool
        seals = PayloadSeals(codec)
        self.logger = logger
        notifier = Notifier(pool: pool, logger: logger)
        ends = EndWatch(pool, logger: logger)
    }

    /// Enqueues one job in a transaction of its own.
    ///
    /// After return the job is committed, and a crash of PostgreSQL doesn't lose it
    /// (`synchronous_commit` is raised to `on` for the transaction where it is off). A connection
    /// that breaks on the way is replaced and the outcome found out: the job is never added
    /// twice.
    /// - Parameter whenFull: what to do when as many jobs wait in the queue as may.
    /// - Throws: `TenureError` (`.invalidJob`, `.queueFull`, `.schemaMismatch`,
    ///   `.unknownEnqueue`) or `PostgresError`: the job is not enqueued, except for
    ///   `.unknownEnqueue`, where it may be.
    ///   `CancellationError` when the task was cancelled first; then, too, it may be.
    @discardableResult
    public func enqueue<J: Job>(
        _ job: J, _ mode: KeyMode? = nil, options: EnqueueOptions = EnqueueOptions(),
        whenFull: WhenFull = .fail
    ) async throws -> EnqueuedJob {
        try await enqueue([NewJob(job, mode, options: options)], whenFull: whenFull)[0]
    }

    /// Enqueues many jobs in one transaction: all of them or none. One result for each, in order.
    /// Where a key comes twice, the later job meets the earlier one by its mode.
    @discardableResult
    public func enqueue(
        _ jobs: [NewJob], whenFull: WhenFull = .fail
    ) async throws -> [EnqueuedJob] {
        if jobs.isEmpty { return [] }
        try await bounds.admit(jobs.countByQueue, whenFull, pool: pool, logger: logger)
        let jobs = try jobs.sent.traced.sealed(by: seals)
        let wakeups = Wakeup.after(jobs)
        let following = FollowingWakeups(notifier, wakeups)
        let enqueued = try await withRemedy {
            try await SettledEnqueue(
                pool: pool, kept: kept, logger: logger, following: following
            ).run(jobs)
        }
        if following?.isStillToBeSent() ?? true { await notifier.send(wakeups) }
        return enqueued
    }

    /// How full a queue is, for a producer that brings what can wait and leaves room to others. As
    /// old as a second.
    /// - Returns: nil where the queue has no capacity, or can't be measured just now.
    public func room(in queue: QueueName) async throws -> QueueRoom? {
        try await withRemedy { try await bounds.room(in: queue, pool: pool, logger: logger) }
    }

    /// Enqueues a job with the caller's transaction: it is there if and only if that commits.
    ///
    /// It is sent just before COMMIT, with all others of the transaction, after the caller's own
    /// writes: no key is locked for longer than the commit itself.
    /// - Returns: the id the job will have and, once the transaction has committed, what the
    ///   enqueue came to.
    /// - Throws: `TenureError` with `.invalidJob`: the transaction stays usable. `PostgresError`
    ///   with `.misuse` when the transaction is over: nothing would be enqueued.
    @discardableResult
    public func enqueue<J: Job>(
        _ job: J, _ mode: KeyMode? = nil, options: EnqueueOptions = EnqueueOptions(),
        in transaction: PostgresTransaction
    ) throws -> GatheredJob {
        try enqueue([NewJob(job, mode, options: options)], in: transaction)[0]
    }

    /// Many jobs with the caller's transaction; see `enqueue(_:_:options:in:)`.
    /// - Throws: `PostgresError` with `.misuse` when the transaction is over.
    @discardableResult
    public func enqueue(
        _ jobs: [NewJob], in transaction: PostgresTransaction
    ) throws -> [GatheredJob] {
        try gather(jobs.sent.traced.sealed(by: seals), in: transaction)
    }

    /// Enqueues at once inside a transaction that belongs to another driver. Subjects stay locked
    /// until that transaction ends: make it the last thing the transaction does.
    /// - Parameter notify: send the wake-up with the commit. It serialises the commits of all
    ///   who do so; leave it off at high rates.
    @discardableResult
    public func enqueue(
        _ jobs: [NewJob], on executor: some SQLExecutor, notify: Bool = false
    ) async throws -> [EnqueuedJob] {
        let enqueue = try ForeignEnqueue.statement(
            jobs.sent.traced.sealed(by: seals), schema: pool.configuration)
        let rows = try await executor.execute(sql: enqueue.sql, parameters: enqueue.parameters)
        if notify {
            for wakeup in Wakeup.after(jobs) {
                let hint = ForeignEnqueue.notification(wakeup)
                _ = try await executor.execute(sql: hint.sql, parameters: hint.parameters)
            }
        }
        return try rows.map(EnqueuedJob.init(columns:))
    }

    /// The same client, for a member of a transaction that is several handlers' commit.
    package func enqueueing(into batch: FollowUpBatch?) -> TenureClient {
        var client = self
        client.batch = batch
        return client
    }

    /// The same client, for those who operate from elsewhere than a program.
    package func acting(from source: ActionSource) -> TenureClient {
        var client = self
        client.source = source
        return client
    }

    private func gather(
        _ jobs: [NewJob], in transaction: PostgresTransaction
    ) throws -> [GatheredJob] {
        // Of one that was rolled back the gathering is still there, and nobody takes it.
        try transaction.checkOpen()
        let jobs = jobs.joining(batch ?? transaction.attached(FollowUpBatch.self))
        if let pending = transaction.attached(PendingEnqueues.self), let place = pending.add(jobs) {
            return jobs.gathered(by: pending, from: place)
        }
        let pending = PendingEnqueues()
        let place = pending.add(jobs) ?? 0
        let wakeups = CommitWakeups(notifier)
        try transaction.attach(
            pending, beforeCommit: { try await flush(pending, wakeups, in: $0) },
            afterCommit: {
                pending.committed()
                await wakeups.sendRest()
            })
        return jobs.gathered(by: pending, from: place)
    }

    private func flush(
        _ pending: PendingEnqueues, _ wakeups: CommitWakeups, in transaction: PostgresTransaction
    ) async throws {
        let jobs = pending.take()
        if jobs.isEmpty { return }
        pending.answered(try await withRemedy { try await add(jobs, in: transaction) })
        transaction.keepDurable()
        try wakeups.go(Wakeup.after(jobs), with: transaction)
    }

    private func add(
        _ jobs: [NewJob], in transaction: PostgresTransaction
    ) async throws -> [EnqueuedJob] {
        guard jobs.allSatisfy(\.isPlain) else {
            return try await transaction.execute(EnqueueJobs(jobs))
        }
        if jobs.count == 1 {
            _ = try await transaction.execute(InsertJob(job: jobs[0], ifKept: false))
        } else {
            _ = try await transaction.execute(InsertJobs(jobs: jobs, ifKept: false))
        }
        return jobs.map(\.enqueued)
    }
}

extension [NewJob] {
    fileprivate func gathered(by pending: PendingEnqueues, from place: Int) -> [GatheredJob] {
        enumerated().map { GatheredJob(id: $1.id, pending: pending, place: place + $0) }
    }
}
