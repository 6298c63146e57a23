// docs/decisions/simulation.md

package import Tenure
import TenurePostgres

/// A worker without its process: the stores, the threads, the time and the randomness are given.
///
/// `Worker` gives it PostgreSQL and reactor threads; the simulation gives it a store in memory, a
/// scheduler and a clock that a seed decides. What is in between is the same code. Everything
/// points one way: the engine to its loops, the loops to the core, the core to what is below it.
package final class WorkerEngine: Sendable {
    package struct Stores: Sendable {
        let session: any SessionStore
        let runs: any RunStore
        let wakeups: (any WakeupSource)?

        package init(
            session: any SessionStore, runs: any RunStore, wakeups: (any WakeupSource)?
        ) {
            self.session = session
            self.runs = runs
            self.wakeups = wakeups
        }
    }

    /// The runs it holds; empty when `run()` has returned and the database was there.
    package var registry: RunRegistry { core.registry }

    private let core: WorkerCore
    private let keeper: SessionKeeper
    private let claimers: [Claimer]
    private let look: VerdictLook
    private let wakeups: (any WakeupSource)?
    private let rule: LeaseRule
    private let shutdown = Shutdown()

    /// - Parameter beatObserver: told on the beat's thread, which must not wait.
    /// - Throws: `TenureError` with `.invalidConfiguration`.
    package init(
        configuration: WorkerConfiguration, kinds: [JobKind: KindHandler], stores: Stores,
        surroundings: Surroundings, observer: any EventObserver, beatObserver: any EventObserver
    ) throws {
        rule = try configuration.validated()
        let lease = SessionLease(rule, on: surroundings.beatTime)
        let core = WorkerCore(
            configuration: configuration, kinds: kinds, store: stores.runs,
            surroundings: surroundings, observer: observer, lease: lease)
        let holder = LeaseHolder(
            registry: core.registry, time: surroundings.beatTime, observer: beatObserver,
            openClaims: core.openClaims, progress: core.services.progress, queues: core.queues,
            handBack: { core.handBack($0, why: "a claim's answer was lost") },
            stop: { [shutdown] in shutdown.begin(grace: configuration.grace) })
        keeper = SessionKeeper(
            store: stores.session,
            profile: SessionProfile(
                role: "worker", name: configuration.name, version: configuration.reader,
                lease: rule, queues: configuration.queues.keys.sorted { "\($0)" < "\($1)" },
                kinds: core.readableKinds.map(\.kind),
                versions: core.readableKinds.map(\.newestVersion),
                secretFields: core.secretFields, letters: core.letters, saysBegun: true),
            lease: lease, holder: holder, time: surroundings.beatTime,
            executor: surroundings.beats, observer: beatObserver)
        claimers = core.queues.values.map { Claimer(queue: $0, worker: core) }
        look = VerdictLook(store: stores.runs, holder: holder, lease: lease)
        wakeups = stores.wakeups
        self.core = core
    }

    /// Runs until a shutdown began and is over; cancelling the task begins one without grace.
    /// - Throws: before it starts, when the store can't be reached.
    package func run() async throws {
        try await Chores(core: core).releaseHeld()
        await withTaskCancellationHandler {
            await withoutCancellation(on: core.surroundings.control) { await self.work() }
        } onCancel: {
            shutdown.begin(grace: .zero)
        }
    }

    /// Whether it claims jobs: its session's lease is held, and no shutdown has begun.
    package var isReady: Bool { core.lease.session != nil && !shutdown.hasBegun }

    /// No new jobs; running ones have the grace period, then they are handed back.
    package func beginShutdown() { shutdown.begin(grace: core.configuration.grace) }

    /// Runs are cancelled and handed back at once. Returns whether no shutdown had begun before.
    package func stopNow() -> Bool {
        let isFirst = !shutdown.hasBegun
        shutdown.begin(grace: .zero)
        return isFirst
    }

    // MARK: The main loop

    /// All that a worker does at a time. The session outlives the finisher, which outlives the
    /// runs.
    private func work() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: core.surroundings.beats) { await self.keeper.run() }
            group.addTask { await self.listen() }
            group.addTask { await self.look.run() }
            group.addTask { await self.core.services.canceller.run() }
            group.addTask { await self.watch() }
            group.addTask { await Chores(core: self.core).makePartitions() }
            group.addTask { await self.handBackStale() }
            group.addTask { await Chores(core: self.core).sweep() }
            group.addTask { await self.core.batches.run() }
            group.addTask { await self.core.waiters.run() }
            await withTaskGroup(of: Void.self) { inner in
                inner.addTask { await self.core.finisher.run(lastWords: self.rule.stopDelay) }
                inner.addTask { await self.stopWhenAsked() }
                await runClaimers()
                inner.cancelAll()
            }
            // What was handed back is somebody else's to start now.
            await core.store.announce(Array(core.configuration.queues.keys))
            group.cancelAll()
        }
    }

    private func runClaimers() async {
        await withTaskGroup(of: Void.self) { group in
            for claimer in claimers { group.addTask { await claimer.run() } }
        }
    }

    private func listen() async {
        let news = Wakeups(core: core, look: look)
        await wakeups?.run { news.take($0) }
    }

    private func watch() async {
        await RunWatch(core: core, rule: rule) { self.beginShutdown() }.run()
    }

    private func handBackStale() async {
        while !Task.isCancelled {
            for claimer in claimers { claimer.handBackStale(rule.length / 6) }
            // Only a cancellation ends the sleep early; the loop's head sees it.
            try? await core.time.sleep(until: core.time.now + .seconds(1))
        }
    }

    private func stopWhenAsked() async {
        guard await shutdown.wait() else { return }
        core.observer.observe(.shutdown(running: core.registry.count))
        for claimer in claimers { claimer.stop() }
        await shutdown.waitOut(on: core.time)
        if Task.isCancelled { return }  // every run has let go before the grace was over
        for run in core.registry.all { run.lose(.shutdown) }
    }
}
