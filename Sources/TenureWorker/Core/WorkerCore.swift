import Tenure
import TenurePostgres

/// What the parts of a worker share: its surroundings, the runs it holds, and each other.
final class WorkerCore: Sendable {
    let configuration: WorkerConfiguration
    let kinds: [JobKind: KindHandler]
    /// The kinds in a stable order.
    let kindNames: [JobKind]
    /// Of the kinds that have some.
    var secretFields: [JobKind: SecretFields] {
        kinds.mapValues(\.secretFields).filter { !$0.value.fields.isEmpty }
    }
    let store: any RunStore
    let registry = RunRegistry()
    let openClaims = OpenClaims()
    let progress: ProgressBoard
    let awaited = AwaitedJobs()
    let unwritten = UnwrittenRuns()
    let canceller = Canceller()
    let batches: BatchKeeper
    let lease = HeldLease()
    let runSetting: RunSetting
    let surroundings: Surroundings
    let observer: any EventObserver
    var time: any Timekeeper { surroundings.time }
    private let parts = Lock(Parts())

    struct Parts {
        var keeper: SessionKeeper?
        var finisher: Finisher?
        var holder: LeaseHolder?
        var wakeUp: (@Sendable (Set<QueueName>?) -> Void)?
        var isListening = false
    }

    init(
        configuration: WorkerConfiguration, kinds: [JobKind: KindHandler], store: any RunStore,
        surroundings: Surroundings, observer: any EventObserver,
        progress: ProgressBoard = ProgressBoard()
    ) {
        self.configuration = configuration
        self.kinds = kinds
        batches = BatchKeeper(store: store, time: surroundings.time, observer: observer)
        kindNames = kinds.keys.sorted { $0.rawValue < $1.rawValue }
        self.store = store
        self.surroundings = surroundings
        self.observer = observer
        self.progress = progress
        runSetting = RunSetting(
            lease: lease, observer: observer, executor: surroundings.handlers,
            time: surroundings.time, progress: progress)
    }

    func assemble(_ parts: Parts) {
        self.parts.withLock { $0 = parts }
        lease.kept(by: parts.keeper)
    }

    /// Lets go of the parts, which hold this core: else none of them would ever go.
    func takeApart() {
        lease.kept(by: nil)
        let parts = parts.withLock { parts in
            defer { parts = Parts() }
            return parts
        }
        withExtendedLifetime(parts) {}  // what they hold ends outside of the lock
    }

    var finisher: Finisher? { parts.withLock { $0.finisher } }

    /// The session whose lease is held at this moment, by the clock.
    var session: SessionID? { lease.session }

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

    /// A batch has ended; what its end was to enqueue is the only thing that can go wrong with it.
    func observe(_ batch: SettledBatch) { observer.observe(batch) }

    func beatSoon() { parts.withLock { $0.keeper }?.beatSoon() }

    func wakeUp(_ queues: Set<QueueName>) { parts.withLock { $0.wakeUp }?(queues) }

    func claimFailed(_ error: any Error) {
        if let error = error as? PostgresError, error.sqlState == "TN002" {
            // The session is over: the next beat says so to everyone.
            beatSoon()
            return
        }
        parts.withLock { $0.holder }?.claimWasLost()
        observer.observe(.databaseAway(during: "a claim", error))
    }
}
