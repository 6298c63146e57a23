public import Logging
public import ServiceLifecycle
public import Tenure
import TenurePostgres

/// A worker: claims jobs of its queues, runs them under a lease, commits behind the fence.
///
/// A `Service` with one `run()`. A graceful shutdown takes no new jobs, gives running ones the
/// grace period, then cancels them and hands them back with their attempt refunded. Cancelling
/// the task of `run()` is a shutdown without grace. Either way `run()` returns when every run has
/// let go and every end is written, or the lease is over.
///
/// What it logs, counts and traces goes to the systems that were bootstrapped before it was made.
/// With a tracer each run is a span `run KIND`, below that of the enqueue.
public final class Worker: Service {
    private let engine: WorkerEngine
    private let pool: PostgresPool
    private let beats: PostgresPool
    private let relay: EventRelay

    /// - Parameters:
    ///   - pool: for claims, commits and the handlers' transactions.
    ///   - jobs: the kinds this worker knows. Others stay where they are.
    /// - Throws: `TenureError` with `.invalidConfiguration`.
    public convenience init(
        pool: PostgresPool, jobs: JobRegistry,
        configuration: WorkerConfiguration = WorkerConfiguration(),
        logger: Logger = Logger(label: "tenure.worker")
    ) throws {
        try self.init(
            pool: pool, jobs: jobs, configuration: configuration, logger: logger,
            watchingSession: { $0 }, watchingRuns: { $0 })
    }

    /// A worker whose calls to the database somebody watches, by putting a store around each.
    package init(
        pool: PostgresPool, jobs: JobRegistry, configuration: WorkerConfiguration, logger: Logger,
        watchingSession: (any SessionStore) -> any SessionStore,
        watchingRuns: (any RunStore) -> any RunStore
    ) throws {
        _ = try configuration.validated()
        let client = TenureClient(pool: pool, logger: logger)
        let observer = LoggingObserver(logger: logger)
        self.pool = pool
        relay = EventRelay(to: observer)
        beats = PostgresPool(
            configuration: pool.configuration.forBeats(), size: 1, logger: logger)
        engine = try WorkerEngine(
            configuration: configuration, kinds: jobs.handlers(client: client, logger: logger),
            stores: WorkerEngine.Stores(
                session: watchingSession(
                    PostgresSessionStore(
                        beats: beats, pool: pool, wakeUp: client.notifier.wakeUp)),
                runs: watchingRuns(PostgresRunStore(pool: pool, notifier: client.notifier)),
                wakeups: PostgresWakeups(configuration, pool: pool, logger: logger)),
            surroundings: .real(control: .shared, beats: .beats),
            observer: observer, beatObserver: relay)
    }

    /// Whether it takes jobs just now: its lease is held, by its own clock, and no shutdown has
    /// begun.
    public var isReady: Bool { engine.isReady }

    /// Runs until a graceful shutdown, a cancellation, or an operator's request to stop.
    /// - Throws: before it starts: `TenureError` with `.schemaMismatch`, or `PostgresError` when
    ///   the database can't be reached. Later losses of the database are lived through.
    public func run() async throws {
        try await Migrator(pool: pool).requireCurrent()
        try await withThrowingTaskGroup(of: Void.self) { log in
            // The log outlives the work, and its cancellation, to the last line.
            log.addTask {
                await withoutCancellation(on: globalConcurrentExecutor) { await self.relay.run() }
            }
            defer { relay.finish() }
            try await withGracefulShutdownHandler {
                try await engine.run()
            } onGracefulShutdown: {
                self.engine.beginShutdown()
            }
        }
        await beats.close()
    }
}
