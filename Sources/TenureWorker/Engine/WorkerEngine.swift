// docs/decisions/simulation.md

import FoundationEssentials
package import Tenure
import TenurePostgres

/// A worker without its process: the stores, the threads, the time and the randomness are given.
///
/// `Worker` gives it PostgreSQL and reactor threads; the simulation gives it a store in memory, a
/// scheduler and a clock that a seed decides. What is in between is the same code.
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
    private let stores: Stores
    private let surroundings: Surroundings
    private let keeper: SessionKeeper
    private let finisher: Finisher
    private let claimers: [QueueName: Claimer]
    private let look: VerdictLook
    private let rule: LeaseRule
    private let shutdown = Shutdown()

    /// - Parameter beatObserver: told on the beat's thread, which must not wait.
    /// - Throws: `TenureError` with `.invalidConfiguration`.
    package init(
        configuration: WorkerConfiguration, kinds: [JobKind: KindHandler], stores: Stores,
        surroundings: Surroundings, observer: any EventObserver, beatObserver: any EventObserver
    ) throws {
        rule = try configuration.validated()
        let core = WorkerCore(
            configuration: configuration, kinds: kinds, store: stores.runs,
            surroundings: surroundings, observer: observer)
        let claimers = configuration.queues.reduce(into: [QueueName: Claimer]()) {
            claimers, entry in
            claimers[entry.key] = Claimer(queue: entry.key, slots: entry.value, worker: core)
        }
        let wakeUp: @Sendable (Set<QueueName>?) -> Void = { queues in
            for (queue, claimer) in claimers where queues?.contains(queue) ?? true {
                claimer.wakeUp()
            }
        }
        finisher = Finisher(
            store: stores.runs, time: surroundings.time, executor: surroundings.control,
            observer: observer, completed: core.completed,
            settled: { core.settled($0, became: $1) })
        let holder = LeaseHolder(
            registry: core.registry, time: surroundings.beatTime, observer: beatObserver,
            openClaims: core.openClaims, progress: core.progress,
            handBack: { core.handBack($0, why: "a claim's answer was lost") }, wakeUp: wakeUp,
            stop: { [shutdown] in shutdown.begin(grace: configuration.grace) })
        look = VerdictLook(store: stores.runs, holder: holder, beatSoon: core.beatSoon)
        keeper = SessionKeeper(
            store: stores.session,
            profile: SessionProfile(
                role: "worker", name: configuration.name, version: configuration.release,
                lease: rule, queues: configuration.queues.keys.sorted { "\($0)" < "\($1)" },
                kinds: core.kindNames, secretFields: core.secretFields, saysBegun: true),
            holder: holder, time: surroundings.beatTime, executor: surroundings.beats,
            observer: beatObserver)
        self.core = core
        self.stores = stores
        self.surroundings = surroundings
        self.claimers = claimers
        core.assemble(
            WorkerCore.Parts(
                keeper: keeper, finisher: finisher, holder: holder, wakeUp: wakeUp))
    }

    deinit { core.takeApart() }

    /// Runs until a shutdown began and is over; cancelling the task begins one without grace.
    /// - Throws: before it starts, when the store can't be reached.
    package func run() async throws {
        try await releaseHeld()
        await withTaskCancellationHandler {
            await withoutCancellation(on: surroundings.control) { await self.work() }
        } onCancel: {
            shutdown.begin(grace: .zero)
        }
    }

    /// Whether it claims jobs: its session's lease is held, and no shutdown has begun.
    package var isReady: Bool { keeper.session != nil && !shutdown.hasBegun }

    /// No new jobs; running ones have the grace period, then they are handed back.
    package func beginShutdown() { shutdown.begin(grace: core.configuration.grace) }

    /// Runs are cancelled and handed back at once. Returns whether no shutdown had begun before.
    package func stopNow() -> Bool {
        let isFirst = !shutdown.hasBegun
        shutdown.begin(grace: .zero)
        return isFirst
    }

    /// The session outlives the finisher, which outlives the runs.
    private func work() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: surroundings.beats) { await self.keeper.run() }
            group.addTask { await self.listen() }
            group.addTask { await self.look.run() }
            group.addTask { await self.core.canceller.run() }
            group.addTask { await self.watch() }
            group.addTask { await self.makePartitions() }
            group.addTask { await self.handBackStale() }
            group.addTask { await self.sweep() }
            group.addTask { await self.core.batches.run() }
            await withTaskGroup(of: Void.self) { inner in
                inner.addTask { await self.finisher.run(lastWords: self.rule.stopDelay) }
                inner.addTask { await self.stopWhenAsked() }
                await runClaimers()
                inner.cancelAll()
            }
            // What was handed back is somebody else's to start now.
            await stores.runs.announce(Array(core.configuration.queues.keys))
            group.cancelAll()
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
}

// MARK: - Beside the work

extension WorkerEngine {
    private func listen() async {
        let wakeups = Wakeups(core: core, claimers: claimers, look: look)
        await stores.wakeups?.run { wakeups.take($0) }
    }

    private func handBackStale() async {
        while !Task.isCancelled {
            for claimer in claimers.values { claimer.handBackStale(rule.length / 6) }
            await pause(.seconds(1))
        }
    }

    /// History has room for the next days even where no coordinator runs.
    private func makePartitions() async {
        while !Task.isCancelled {
            var rest = Duration.seconds(6 * 3600)
            do {
                try await stores.runs.makePartitions()
            } catch {
                if Task.isCancelled { return }
                core.observer.observe(.databaseAway(during: "making partitions", error))
                rest = .seconds(60)
            }
            await pause(rest)
        }
    }

    /// What no event announces. Jobs that nobody claims expire even where no coordinator runs, only
    /// later; and an older worker, still there beside this one, may hold what this one reads.
    private func sweep() async {
        var waiting: UUID?
        while !Task.isCancelled {
            await pause(core.configuration.sweepInterval * core.jitter())
            // What goes wrong with one keeps the others from nothing.
            await attempt("looking for expired jobs", expire)
            await attempt("looking at held jobs", releaseHeld)
            await attempt("looking at waiting jobs") {
                waiting = try await releaseStranded(after: waiting)
            }
        }
    }

    private func attempt(_ what: String, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch {
            if Task.isCancelled { return }
            core.observer.observe(.databaseAway(during: what, error))
        }
    }

    private func expire() async throws {
        let expired = try await stores.runs.expire()
        for job in expired.jobs {
            core.observer.observe(.expired(job.job, kind: job.kind, queue: job.queue))
        }
        for batch in expired.batches { core.observe(batch) }
    }

    private func releaseHeld() async throws {
        let released = try await stores.runs.releaseHeld(
            kinds: core.kindNames, release: core.configuration.release)
        if released > 0 { core.wakeUp(Set(core.configuration.queues.keys)) }
    }

    private func releaseStranded(after: UUID?) async throws -> UUID? {
        let sweep = try await stores.runs.sweepWaiting(after: after)
        if sweep.released > 0 {
            core.observer.observe(.strandedReleased(sweep.released))
            core.wakeUp(Set(core.configuration.queues.keys))
        }
        return sweep.onward
    }

    private func watch() async {
        let watch = RunWatch(core: core, rule: rule) {
            self.shutdown.begin(grace: self.core.configuration.grace)
        }
        await watch.run()
    }

    private func pause(_ duration: Duration) async {
        // Only a cancellation ends the sleep early; the loop's head sees it.
        try? await core.time.sleep(until: core.time.now + duration)
    }
}
