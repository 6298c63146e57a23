package import Logging
package import Tenure
import TenurePostgres
import Tracing

/// Runs jobs one after the other, below the caller's own task, by the worker's own code: attempt,
/// commit, and what an end comes to. What is left out is what a process does beside: beats,
/// wake-ups and polling. For tests of jobs.
///
/// For one caller at a time.
package final class InlineWorker: Sendable {
    package let session: SessionID
    package let kinds: [JobKind]
    private let core: WorkerCore
    private let record: InlineRecord
    private let reports: InlineReports
    private let store: any RunStore
    /// How long the store may take to write an end.
    private static let patience = Duration.seconds(10)

    /// - Parameters:
    ///   - session: one that is open, and whose lease is longer than all of this takes.
    ///   - time: what timeouts are counted on.
    package init(
        kinds: [JobKind: KindHandler], store: any RunStore, session: SessionID,
        time: any Timekeeper, logger: Logger
    ) throws {
        let configuration = WorkerConfiguration()
        let lease = SessionLease(try configuration.validated(), on: time)
        lease.hold(session)
        let record = InlineRecord(next: LoggingObserver(logger: logger, name: configuration.name))
        let reports = InlineReports()
        let store = RecordedStore(store: store, record: record)
        let control = PostgresReactor.shared
        let core = WorkerCore(
            configuration: configuration, kinds: kinds, store: store,
            surroundings: Surroundings(
                control: control.executor, time: time, beats: control.executor, beatTime: time,
                handlers: globalConcurrentExecutor, random: SystemRandomNumberGenerator(),
                tracer: InstrumentationSystem.bootstrapped),
            observer: record, lease: lease, progress: ProgressBoard { reports.add($0) },
            endTime: ReactorTime(control))
        self.session = session
        self.kinds = core.readableKinds.map(\.kind)
        self.core = core
        self.record = record
        self.reports = reports
        self.store = store
    }

    /// The next job of a queue that is due, as the store's own order and limits have it.
    package func claim(from queue: QueueName) async throws -> Run? {
        // Whatever their version: a test is to see what its jobs can't read.
        let request = ClaimRequest(
            session: session, queue: queue, kinds: kinds.map { ReadableKind($0) }, wanted: 1)
        return try await store.claim(request) { _ in }.first.map { hold($0) }
    }

    /// Lets jobs go whose others have ended; whether there was one.
    package func settleEnds() async throws -> Bool {
        var isVain = true
        while true {
            let settled = try await store.settleEnds(
                of: nil, atMost: EndKeeper.firstRound)
            if !settled.released.isEmpty || !settled.cancelled.isEmpty { isVain = false }
            if !settled.hasMore { return !isVain }
        }
    }

    /// A job that the store has given to this session.
    package func hold(_ job: ClaimedJob) -> Run { core.run(job, session: session) }

    /// Runs a job to its end, and writes it.
    /// - Parameter heard: told of each progress report as it is made.
    /// - Throws: `TenureError` when the database would not take its end in time; `PostgresError`
    /// with   `.closed` when its pool was closed.
    package func run(
        _ run: Run, heard: @escaping @Sendable (JobProgress) -> Void = { _ in }
    ) async throws -> InlineEnd {
        record.begin()
        reports.begin(heard)
        core.registry.add([run])
        await withTaskGroup(of: Void.self) { group in
            // It delivers what ends a run, and outlives it.
            group.addTask { await self.core.services.canceller.run() }
            await withTaskGroup(of: Void.self) { handler in
                handler.addTask(executorPreference: globalConcurrentExecutor) {
                    await self.core.execute(run)
                }
            }
            group.cancelAll()
        }
        await withoutCancellation { [core] in
            await core.finisher.drain(until: .now + Self.patience)
        }
        guard core.registry.find(run.ref) == nil else {
            core.registry.remove(run.ref)
            if core.finisher.wasCutOff { throw PostgresPool.closedUnder("test kit") }
            throw TenureError(
                .deadlineExceeded,
                "the end of job \(run.info.job) could not be written within \(Self.patience): "
                    + "look for an open transaction that holds its key or its row")
        }
        if let batch = run.job.batchID {
            for settled in try await store.settle(batches: [batch], sent: {}) {
                core.observer.observe(settled)
            }
        }
        return record.end(run, reports.all)
    }
}

/// What the run under way has reported.
private final class InlineReports: Sendable {
    private struct State {
        var all: [JobProgress] = []
        var heard: @Sendable (JobProgress) -> Void = { _ in }
    }
    private let state = Lock(State())

    var all: [JobProgress] { state.withLock { $0.all } }

    func begin(_ heard: @escaping @Sendable (JobProgress) -> Void) {
        state.withLock { $0 = State(heard: heard) }
    }

    func add(_ report: JobProgress) {
        let heard = state.withLock { state in
            state.all.append(report)
            return state.heard
        }
        heard(report)
    }
}
