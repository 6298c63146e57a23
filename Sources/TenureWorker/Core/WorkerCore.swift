import Tenure
import TenurePostgres

/// What the parts of a worker share: the registry of runs, the way a run is started and ended.
final class WorkerCore: Sendable {
    let configuration: WorkerConfiguration
    let kinds: [JobKind: KindHandler]
    /// The kinds in a stable order.
    let kindNames: [JobKind]
    let store: any RunStore
    let registry = RunRegistry()
    let surroundings: Surroundings
    let observer: any EventObserver
    var time: any Timekeeper { surroundings.time }
    private let parts = Lock(Parts())

    private struct Parts {
        var keeper: SessionKeeper?
        var finisher: Finisher?
        var holder: LeaseHolder?
        var wakeUp: (@Sendable (Set<QueueName>?) -> Void)?
        var isListening = false
    }

    init(
        configuration: WorkerConfiguration, kinds: [JobKind: KindHandler], store: any RunStore,
        surroundings: Surroundings, observer: any EventObserver
    ) {
        self.configuration = configuration
        self.kinds = kinds
        kindNames = kinds.keys.sorted { $0.rawValue < $1.rawValue }
        self.store = store
        self.surroundings = surroundings
        self.observer = observer
    }

    func assemble(
        keeper: SessionKeeper, finisher: Finisher, holder: LeaseHolder,
        wakeUp: @escaping @Sendable (Set<QueueName>?) -> Void
    ) {
        parts.withLock {
            $0.wakeUp = wakeUp
            $0.keeper = keeper
            $0.finisher = finisher
            $0.holder = holder
        }
    }

    /// Lets go of the parts, which hold this core: else none of them would ever go.
    func takeApart() {
        let parts = parts.withLock { parts in
            defer { parts = Parts() }
            return parts
        }
        withExtendedLifetime(parts) {}  // what they hold ends outside of the lock
    }

    /// The session whose lease is held at this moment, by the clock.
    var session: SessionID? { parts.withLock { $0.keeper }?.session }

    var pollInterval: Duration {
        let isListening = parts.withLock { $0.isListening }
        return isListening ? configuration.listeningPollInterval : configuration.pollInterval
    }

    func setListening(_ isListening: Bool) { parts.withLock { $0.isListening = isListening } }

    /// For what all workers would else do at the same moment.
    func jitter() -> Double {
        var generator = surroundings.random
        return Double.random(in: 0.9...1.1, using: &generator)
    }

    func beatSoon() { parts.withLock { $0.keeper }?.beatSoon() }

    func claimFailed(_ error: any Error) {
        if let error = error as? PostgresError, error.sqlState == "TN002" {
            // The session is over: the next beat says so to everyone.
            beatSoon()
            return
        }
        parts.withLock { $0.holder }?.claimWasLost()
        observer.observe(.databaseAway(during: "a claim", error))
    }

    // MARK: A run, from its slot to its end

    func attempt(_ job: ClaimedJob) async {
        guard let held = registry.find(job.ref) else { return }
        // The answer may have been long on its way: look at the clock before starting anything.
        guard session == held.session, held.right.reason == nil else {
            return handBack(job.ref, why: "its lease was over before it started")
        }
        guard let kind = kinds[job.run.kind] else {
            return hold(job, "no handler is registered for kind \(job.run.kind)")
        }
        guard job.payloadVersion <= kind.payloadVersion else {
            return hold(
                job,
                "its payload has version \(job.payloadVersion), this release reads up to "
                    + "\(kind.payloadVersion)")
        }
        await attempt(job, held: held, kind: kind)
    }

    private func attempt(
        _ job: ClaimedJob, held: RunRegistry.Held, kind: KindHandler
    ) async {
        let started = time.now
        registry.update(job.ref) {
            $0.startedAt = started
            $0.hasTimeout = kind.timeout != nil
        }
        observer.observe(.started(job.run))
        let run = handle(of: job, held: held)
        let result = await Attempt(
            right: held.right, timeout: kind.timeout, time: time,
            executor: surroundings.handlers, mayStart: run.isHeld,
            handler: { try await Self.start(run, kind) }
        ).run()
        registry.update(job.ref) { $0.endedAt = time.now }
        let took = started.duration(to: time.now)
        if let became = registry.find(job.ref)?.committedAs {
            // Whatever the handler says now: it is done.
            if case .failure(let error) = result, !Cancellation.isCancellation(error) {
                observer.observe(.threwAfterCommit(job.run, error))
            }
            return carryOut(.written(became: became), job, result, took: took)
        }
        if case .failure(let unreadable as EndDecision.Unreadable) = result {
            return hold(job, unreadable.reason)
        }
        var generator = surroundings.random
        let decision = EndDecision.decide(
            result, reason: held.right.reason, run: job.ref,
            retryDelay: kind.retry.delay(afterAttempt: job.run.attempt, using: &generator))
        carryOut(decision, job, result, took: took)
    }

    /// On the handlers' executor: decoding is the users' code too.
    private static func start(
        _ run: RunHandle, _ kind: KindHandler
    ) async throws -> JobOutcome {
        let handler: KindHandler.Run
        do {
            handler = try kind.prepare(run.job.payload)
        } catch {
            throw EndDecision.Unreadable(reason: "its payload does not decode: \(error)")
        }
        return try await handler(run)
    }

    private func carryOut(
        _ decision: EndDecision, _ job: ClaimedJob, _ result: Result<JobOutcome, any Error>,
        took: Duration
    ) {
        switch decision {
        case .written(let became):
            registry.remove(job.ref)
            observer.observe(.ended(job.run, became: became, took: took))
            announce(job.run, became: became)
        case .late(let ending):
            observer.observe(.lateResult(job.run))
            report(ending)
        case .report(var ending):
            if ending.wanted == .failed, case .failure(let error) = result {
                ending.error = error
            }
            ending.isPlain =
                ending.wanted == .completed && job.run.key == nil && ending.result == nil
            ending.place = job.place
            report(ending)
        }
    }

    private func handle(of job: ClaimedJob, held: RunRegistry.Held) -> RunHandle {
        RunHandle(
            job: job, right: held.right,
            isHeld: { [weak self] in self?.session == held.session },
            didCommit: { [registry] outcome in
                registry.update(job.ref) { $0.committedAs = outcome.name }
            }, observer: observer, executor: surroundings.handlers)
    }

    // MARK: Ends

    private func report(_ ending: RunEnding) { parts.withLock { $0.finisher }?.report(ending) }

    func handBack(_ run: RunRef, why: String) {
        var ending = RunEnding(run, .handedBack)
        ending.reason = why
        observer.observe(.handedBack(run, why: why))
        report(ending)
    }

    private func hold(_ job: ClaimedJob, _ reason: String) {
        var ending = RunEnding(job.ref, .held)
        ending.reason = reason.storable
        ending.holdVersion = configuration.release
        observer.observe(.held(job.run, reason: reason))
        report(ending)
    }

    /// The database has written a run's end.
    func settled(_ ending: RunEnding, became: String) {
        if let held = registry.find(ending.run) {
            let took = held.startedAt.map { $0.duration(to: held.endedAt ?? time.now) } ?? .zero
            if became == "late" {
                if ending.wanted == .completed { observer.observe(.lateResult(held.info)) }
            } else {
                if ending.wanted == .failed, became != "superseded", became != "cancelled" {
                    observer.observe(.failed(held.info, ending.failure))
                }
                observer.observe(.ended(held.info, became: became, took: took))
                announce(held.info, became: became)
            }
        }
        registry.remove(ending.run)
    }

    /// A run's end may have made a job pending: its own, or a successor that waited for its key.
    private func announce(_ run: RunInfo, became: String) {
        // A commit says what it asked for, a report what it became.
        let isPending = ["retryable", "scheduled", "available", "snoozed"].contains(became)
        guard isPending || run.key != nil else { return }
        parts.withLock { $0.wakeUp }?([run.queue])
    }
}
