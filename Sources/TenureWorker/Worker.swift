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
public final class Worker: Service {
    private let core: WorkerCore
    private let keeper: SessionKeeper
    private let finisher: Finisher
    private let claimers: [QueueName: Claimer]
    private let listener: WakeupListener?
    private let pool: PostgresPool
    private let beats: PostgresPool
    private let rule: LeaseRule
    private let shutdown = Shutdown()
    private let relay: EventRelay

    /// - Parameters:
    ///   - pool: for claims, commits and the handlers' transactions.
    ///   - jobs: the kinds this worker knows. Others stay where they are.
    /// - Throws: `TenureError` with `.invalidConfiguration`.
    public init(
        pool: PostgresPool, jobs: JobRegistry,
        configuration: WorkerConfiguration = WorkerConfiguration(),
        logger: Logger = Logger(label: "tenure.worker")
    ) throws {
        rule = try configuration.validated()
        self.pool = pool
        let beatReactor = PostgresReactor(name: "tenure-beat")
        let observer = LoggingObserver(logger: logger)
        let relay = EventRelay(to: observer)
        let time = ReactorTime(.shared)
        beats = PostgresPool(
            configuration: pool.configuration.forBeats(on: beatReactor), size: 1, logger: logger)
        let core = WorkerCore(
            configuration: configuration, jobs: jobs, pool: pool,
            store: PostgresRunStore(pool: pool), time: time, observer: observer, logger: logger)
        let claimers = configuration.queues.reduce(into: [QueueName: Claimer]()) {
            claimers, entry in
            claimers[entry.key] = Claimer(queue: entry.key, slots: entry.value, worker: core)
        }
        let wakeUp: @Sendable (Set<QueueName>?) -> Void = { queues in
            for (queue, claimer) in claimers where queues?.contains(queue) ?? true {
                claimer.wakeUp()
            }
        }
        finisher = Finisher(store: core.store, time: time, observer: observer) { ending, became in
            core.settled(ending, became: became)
        }
        let holder = LeaseHolder(
            registry: core.registry, observer: relay,
            claimsInFlight: { claimers.values.contains(where: \.isClaiming) },
            handBack: { core.handBack($0, why: "a claim's answer was lost") }, wakeUp: wakeUp)
        keeper = SessionKeeper(
            store: PostgresSessionStore(beats: beats, pool: pool),
            profile: SessionProfile(
                role: "worker", name: configuration.name, version: configuration.release,
                lease: rule, queues: configuration.queues.keys.sorted { "\($0)" < "\($1)" },
                kinds: jobs.kinds),
            holder: holder, time: ReactorTime(beatReactor), observer: relay)
        self.core = core
        self.relay = relay
        self.claimers = claimers
        listener =
            configuration.listens
            ? WakeupListener(core: core, claimers: claimers, pool: pool, logger: logger) : nil
        self.beatReactor = beatReactor
        core.assemble(keeper: keeper, finisher: finisher, holder: holder, wakeUp: wakeUp)
    }

    private let beatReactor: PostgresReactor

    /// Runs until a graceful shutdown or a cancellation.
    /// - Throws: before it starts: `TenureError` with `.schemaMismatch`, or `PostgresError` when
    ///   the database can't be reached. Later losses of the database are lived through.
    public func run() async throws {
        try await Migrator(pool: pool).requireCurrent()
        _ = try await core.store.releaseHeld(
            kinds: core.jobs.kinds, release: core.configuration.release)
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await withoutCancellation(on: PostgresReactor.shared.executor) { await self.work() }
            } onGracefulShutdown: {
                self.shutdown.begin(grace: self.core.configuration.grace)
            }
        } onCancel: {
            shutdown.begin(grace: .zero)
        }
        await beats.close()
    }

    /// The log outlives the session, which outlives the finisher, which outlives the runs.
    private func work() async {
        await withTaskGroup(of: Void.self) { log in
            log.addTask(executorPreference: globalConcurrentExecutor) { await self.relay.run() }
            await keepSession()
            relay.finish()
        }
    }

    private func keepSession() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: beatReactor.executor) { await self.keeper.run() }
            group.addTask { await self.listener?.run() }
            group.addTask { await self.watch() }
            group.addTask { await self.makePartitions() }
            group.addTask { await self.handBackStale() }
            await withTaskGroup(of: Void.self) { inner in
                inner.addTask { await self.finisher.run(lastWords: self.rule.stopDelay) }
                inner.addTask { await self.stopWhenAsked() }
                await runClaimers()
                inner.cancelAll()
            }
            // What was handed back is somebody else's to start now.
            await core.announceToAll()
            group.cancelAll()
        }
    }

    private func handBackStale() async {
        while !Task.isCancelled {
            for claimer in claimers.values { claimer.handBackStale(rule.length / 6) }
            // Only a cancellation ends the sleep early; the loop's head sees it.
            try? await core.time.sleep(until: core.time.now + .seconds(1))
        }
    }

    private func runClaimers() async {
        await withTaskGroup(of: Void.self) { group in
            for claimer in claimers.values { group.addTask { await claimer.run() } }
        }
    }

    private func stopWhenAsked() async {
        guard await shutdown.wait() else { return }
        core.observer.observe(.shutdown(running: core.registry.count))
        for claimer in claimers.values { claimer.stop() }
        await shutdown.waitOut(on: core.time)
        if Task.isCancelled { return }  // every run has let go before the grace was over
        for held in core.registry.all { held.right.end(.shutdown) }
    }

    /// History has room for the next days even where no coordinator runs.
    private func makePartitions() async {
        while !Task.isCancelled {
            var pause = Duration.seconds(6 * 3600)
            do {
                try await Partitions.makeAhead(pool: pool)
            } catch {
                if Task.isCancelled { return }
                core.observer.observe(.databaseAway(during: "making partitions", error))
                pause = .seconds(60)
            }
            // Only a cancellation ends the sleep early; the loop's head sees it.
            try? await core.time.sleep(until: core.time.now + pause)
        }
    }

    private func watch() async {
        let watch = RunWatch(core: core, rule: rule) {
            self.shutdown.begin(grace: self.core.configuration.grace)
        }
        await watch.run()
    }
}
