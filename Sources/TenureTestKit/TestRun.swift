public import Logging
public import Tenure
import TenureFoundation
import TenurePostgres
public import TenureWorker

/// One run of one job, with a context that the test decides: which attempt it is, what the clock
/// says, and when and why its right to go on ends.
///
/// Without a database the handler gets everything but `commit`, `checkpoint` and `client`, which
/// fail at once with a `PostgresError`, `.misuse`. With one, the job is really enqueued, in a queue
/// of its own, claimed, and committed behind its fence, so that a handler that ends with
/// `context.commit` ends as it would.
///
/// The stops (`cancel(by:)`, `supersede()`, `shutDown()`, `loseLease()`) may be called from any
/// task while `run` runs; the first one stands. Before `run` they see to it that the handler never
/// starts; after it they do nothing.
public final class TestRun<J: Job>: Sendable {
    public let id = JobID()
    /// What the handler reports, as it does. To be read by one task; ends with the run.
    public let reports: AsyncStream<JobProgress>

    private struct State {
        var hasBegun = false
        var run: Run?
        var stop: EndReason?
    }
    private let new: NewJob
    private let attempt: Int
    private let maxAttempts: Int
    private let time: any Timekeeper
    private let pool: PostgresPool?
    private let codec: (any PayloadCodec)?
    private let logger: Logger
    private let output: AsyncStream<JobProgress>.Continuation
    private let state = Lock(State())

    /// - Parameters:
    ///   - mode: its key, for `context.key` and `supersede()`; nil for the one its type says.
    ///   - attempt: the attempt that this run is.
    ///   - maxAttempts: a failure of the last one discards the job; by its type's policy.
    ///   - clock: for its timeout. Without one it is the real one.
    ///   - pool: a test's database, migrated.
    ///   - codec: how what the job carries is stored there.
    /// - Throws: `TenureError` with `.invalidJob`, as an enqueue would.
    public init(
        _ job: J, _ mode: KeyMode? = nil, attempt: Int = 1, maxAttempts: Int? = nil,
        clock: TestClock? = nil, on pool: PostgresPool? = nil, codec: (any PayloadCodec)? = nil,
        logger: Logger = Logger(label: "tenure.test")
    ) throws {
        try JobLimits.check(attempt, of: "attempt", in: 1...10_000)
        if let maxAttempts { try JobLimits.check(maxAttempts, of: "maxAttempts", in: 1...10_000) }
        self.attempt = attempt
        self.maxAttempts = max(maxAttempts ?? J.options.retry.maxAttempts, attempt)
        self.pool = pool
        self.codec = codec
        self.logger = logger
        time = clock ?? ReactorTime(.shared)
        var options = EnqueueOptions()
        // Nothing else is in it that could be claimed instead.
        if pool != nil { options.queue = QueueName("test-run-\(id)") }
        // The attempts before this one were never made.
        options.maxAttempts = self.maxAttempts - self.attempt + 1
        new = try NewJob(job, mode, options: options, id: id)
        (reports, output) = AsyncStream.makeStream()
    }

    /// Runs the job by its kind's handler. Once.
    /// - Throws: `TestKitError`; with a database, what that throws. What the handler throws is in
    ///   the report.
    public func run(with jobs: JobRegistry) async throws -> RunReport {
        guard
            !state.withLock({ state in
                defer { state.hasBegun = true }
                return state.hasBegun
            })
        else { throw TestKitError("a TestRun runs once: make another one") }
        guard jobs.kinds.contains(J.kind) else {
            throw TestKitError("the registry has no handler for kind \(J.kind): register one")
        }
        defer { output.finish() }
        guard let pool else { return try await run(on: try worker(jobs)) }
        let client = TenureClient(pool: pool, codec: codec, logger: logger)
        _ = try await client.enqueue([new])
        return try await TestSession.with(client, jobs, on: time, logger) { worker in
            try await run(on: worker)
        }
    }

    private func worker(_ jobs: JobRegistry) throws -> InlineWorker {
        let client = try NoDatabase.client(logger, codec: codec)
        let handlers = try jobs.handlers(client: client, logger: logger)
        return try InlineWorker(
            kinds: handlers, store: NoDatabase(job: try madeUp()), session: SessionID(0),
            time: time,
            logger: logger)
    }

    /// As a claim would have brought it.
    private func madeUp() throws -> ClaimedJob {
        ClaimedJob(
            run: RunInfo(
                job: id, kind: J.kind, queue: new.queue, key: new.mode?.key,
                generation: new.mode.map { _ in Generation(1) }, fence: Fence(1), attempt: attempt),
            payload: try new.sealed(by: PayloadSeals(codec)).payload,
            payloadVersion: new.payloadVersion, priority: new.priority,
            runAt: Date(), maxAttempts: maxAttempts, runs: attempt, lane: nil, createdAt: Date())
    }

    private func run(on worker: InlineWorker) async throws -> RunReport {
        guard let claimed = try await worker.claim(from: new.queue), claimed.job.run.job == id
        else { throw TestKitError("the job could not be claimed: its key has another one") }
        var job = claimed.job
        job.run.attempt = attempt
        job.maxAttempts = maxAttempts
        let run = worker.hold(job)
        let stop = state.withLock { state in
            state.run = run
            return state.stop
        }
        if let stop { run.right.end(stop) }
        let end = try await worker.run(run) { [output] in output.yield($0) }
        state.withLock { $0.run = nil }
        return try RunReport(end, PayloadSeals(codec))
    }

    // MARK: Stops

    /// An operator cancels the job.
    public func cancel(by whom: String) async throws {
        if let client = runningClient() { try await Operator(client: client, as: whom).cancel(id) }
        stop(.cancelled(by: whom))
    }

    /// A newer job of its key takes its place; with a database, a real one with the same payload,
    /// which stays pending.
    /// - Throws: `TestKitError` for a job without a key.
    public func supersede() async throws {
        guard let key = new.mode?.key else {
            throw TestKitError("a job without a key can't be superseded: give the TestRun a mode")
        }
        guard let client = runningClient() else {
            return stop(.superseded(by: Generation(2)))
        }
        let newer = try NewJob(
            kind: new.kind, payload: new.payload, payloadVersion: new.payloadVersion,
            .superseding(key), queue: new.queue)
        let enqueued = try await client.enqueue([newer])[0]
        stop(.superseded(by: enqueued.generation ?? Generation(2)))
    }

    /// The worker shuts down, and its grace period is over.
    public func shutDown() { stop(.shutdown) }

    /// The database could not be reached until the lease was over.
    public func loseLease() { stop(.leaseExpired) }

    private func runningClient() -> TenureClient? {
        guard let pool, state.withLock({ $0.run != nil }) else { return nil }
        return TenureClient(pool: pool, codec: codec, logger: logger)
    }

    private func stop(_ reason: EndReason) {
        let run = state.withLock { state in
            if state.stop == nil { state.stop = reason }
            return state.run
        }
        run?.right.end(reason)
    }
}
