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
    private let hooks: Hooks
    private let logger: Logger
    private let isIdle: Bool
    /// Kinds that it knows, and whose queues it doesn't serve.
    private let elsewhere: [(JobKind, QueueName)]
    private let runs = OneRun()
    private let threads: ThreadWatch

    /// - Parameters:
    ///   - pool: for claims, commits and the handlers' transactions.
    ///   - jobs: the kinds this worker knows. Others stay where they are.
    ///   - observers: who is told what happens to its runs, beside its log.
    /// - Throws: `TenureError` with `.invalidConfiguration`, also for a kind with two handlers, or
    ///   with `.invalidJob` for a kind whose options can't be used.
    public convenience init(
        pool: PostgresPool, jobs: JobRegistry,
        configuration: WorkerConfiguration = WorkerConfiguration(),
        observers: [any JobObserver] = [],
        logger: Logger = Logger(label: "tenure.worker")
    ) throws {
        try self.init(
            pool: pool, jobs: jobs, configuration: configuration, observers: observers,
            logger: logger, watchingSession: { $0 }, watchingRuns: { $0 })
    }

    /// A worker whose calls to the database somebody watches, by putting a store around each.
    package init(
        pool: PostgresPool, jobs: JobRegistry, configuration: WorkerConfiguration,
        observers: [any JobObserver] = [], logger: Logger,
        watchingSession: (any SessionStore) -> any SessionStore,
        watchingRuns: (any RunStore) -> any RunStore
    ) throws {
        _ = try configuration.validated()
        let client = TenureClient(pool: pool, codec: configuration.codec, logger: logger)
        let log = LoggingObserver(logger: logger, name: configuration.name)
        hooks = Hooks(observers)
        let observer = hooks.hearing(what: log)
        self.pool = pool
        self.logger = logger
        isIdle = jobs.kinds.isEmpty
        elsewhere = jobs.kinds(outside: configuration.queues.keys)
        relay = EventRelay(to: log)
        beats = PostgresPool(
            configuration: pool.configuration.forBeats(), size: 1, logger: logger)
        engine = try WorkerEngine(
            configuration: configuration,
            kinds: try jobs.handlers(client: client, logger: logger),
            stores: WorkerEngine.Stores(
                session: watchingSession(
                    PostgresSessionStore(
                        beats: beats, pool: pool, wakeUp: client.notifier.wakeUp)),
                runs: watchingRuns(PostgresRunStore(pool: pool, notifier: client.notifier)),
                wakeups: PostgresWakeups(configuration, pool: pool, logger: logger)),
            surroundings: .real(control: .shared, beats: .beats),
            observer: observer, beatObserver: hooks.hearing(what: relay))
        threads = ThreadWatch(
            registry: engine.registry, observer: observer, time: ReactorTime(.shared),
            handlers: globalConcurrentExecutor)
    }

    /// Whether it takes jobs just now: its lease is held, by its own clock, and no shutdown has
    /// begun.
    public var isReady: Bool { engine.isReady }

    /// Runs until a graceful shutdown, a cancellation, or an operator's request to stop; once.
    ///
    /// It returns after such a request too. In a `ServiceGroup` let that end the program in good
    /// order, with `successTerminationBehavior: .gracefullyShutdownGroup`: by default the group
    /// throws when a service returns.
    /// - Throws: before it starts: `TenureError` with `.schemaMismatch`, or `PostgresError` when
    ///   the database can't be reached. Later losses of the database are lived through; only where
    ///   its pool is closed under it does it end with a `PostgresError`, `.closed`.
    ///   `TenureError` with `.misuse` when it runs already or has ended: make a new worker.
    public func run() async throws {
        if let refusal = runs.begin() { throw TenureError.secondRun(of: "worker", refusal) }
        do {
            try await Migrator(pool: pool).requireCurrent()
        } catch {
            runs.didNotBegin()
            throw error
        }
        defer { runs.end() }
        sayWhatItLeaves()
        do { try await runLogged() } catch {
            await beats.close()
            throw error
        }
        await beats.close()
    }

    private func sayWhatItLeaves() {
        if isIdle {
            logger.warning("the worker has no handlers and runs nothing: give it a JobRegistry's")
        }
        // Another worker may have them; or a name is misspelt.
        guard !elsewhere.isEmpty else { return }
        let kinds = elsewhere.map { "\($0) (queue \($1))" }.joined(separator: ", ")
        logger.notice(
            "jobs of these kinds wait for another worker, as this one doesn't serve their queue",
            metadata: ["kinds": "\(kinds)"])
    }

    private func runLogged() async throws {
        try await withThrowingTaskGroup(of: Void.self) { log in
            // The log outlives the work, and its cancellation, to the last line.
            log.addTask {
                await withoutCancellation(on: globalConcurrentExecutor) { await self.relay.run() }
            }
            log.addTask {
                await withoutCancellation(on: globalConcurrentExecutor) { await self.hooks.run() }
            }
            defer {
                relay.finish()
                hooks.finish()
            }
            try await withGracefulShutdownHandler {
                try await runWithPool()
            } onGracefulShutdown: {
                self.engine.beginShutdown()
            }
        }
    }

    /// Without its pool it could only wait for ever: whoever has closed it wants it to end.
    private func runWithPool() async throws {
        let lostPool = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                do { try await self.pool.closed() } catch { return false }
                return self.engine.stopNow()
            }
            group.addTask(executorPreference: PostgresReactor.shared.executor) {
                await self.threads.run()
                return false
            }
            try await engine.run()
            group.cancelAll()
            return try await group.contains(true)
        }
        if lostPool { throw PostgresPool.closedUnder("worker") }
    }
}
