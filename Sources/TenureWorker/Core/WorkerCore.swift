import Tenure
import TenurePostgres

/// What the parts of a worker share: its surroundings, the runs it holds, and their ends. It holds
/// only what is below it, and none of the loops that work with it.
final class WorkerCore: Sendable {
    let configuration: WorkerConfiguration
    let kinds: [JobKind: KindHandler]
    /// The kinds in a stable order.
    let readableKinds: [ReadableKind]
    /// Of the kinds that have some.
    var secretFields: [JobKind: SecretFields] {
        kinds.mapValues(\.secretFields).filter { !$0.value.fields.isEmpty }
    }
    /// Of the kinds that have an address.
    var letters: [JobKind: LetterAddress] { kinds.compactMapValues(\.letters) }
    let store: any RunStore
    let registry = RunRegistry()
    let openClaims = OpenClaims()
    let awaited = AwaitedJobs()
    let queues: [QueueName: LocalQueue]
    let batches: BatchKeeper
    let waiters: EndKeeper
    let ends: RunEnds
    let finisher: Finisher
    let services: RunServices
    private let isListening = Lock(false)

    var surroundings: Surroundings { services.surroundings }
    var observer: any EventObserver { services.observer }
    var lease: SessionLease { services.lease }
    var time: any Timekeeper { services.surroundings.time }

    /// - Parameter endTime: by which the database is asked again to take an end; the surroundings'
    ///   unless that is moved by hand.
    init(
        configuration: WorkerConfiguration, kinds: [JobKind: KindHandler], store: any RunStore,
        surroundings: Surroundings, observer: any EventObserver, lease: SessionLease,
        progress: ProgressBoard = ProgressBoard(), endTime: (any Timekeeper)? = nil
    ) {
        self.configuration = configuration
        self.kinds = kinds
        readableKinds = kinds.map { ReadableKind($0.key, upTo: $0.value.payloadVersion) }
            .sorted { $0.kind.rawValue < $1.kind.rawValue }
        self.store = store
        services = RunServices(
            surroundings, observer: observer, lease: lease, progress: progress)
        let shared = configuration.queues.count > 1 ? SharedBuffer() : nil
        queues = Dictionary(
            uniqueKeysWithValues: configuration.queues.map {
                ($0.key, LocalQueue($0.key, slots: $0.value, shared: shared))
            })
        batches = BatchKeeper(store: store, time: surroundings.time, observer: observer)
        waiters = EndKeeper(
            store: store, queues: queues, time: surroundings.time, observer: observer,
            jitter: surroundings.jitter)
        let ends = RunEnds(
            registry: registry, queues: queues, batches: batches, awaited: awaited, store: store,
            time: surroundings.time, observer: observer)
        self.ends = ends
        finisher = Finisher(
            store: store, time: endTime ?? surroundings.time, executor: surroundings.control,
            observer: observer, completed: ends.completed,
            settled: { ends.settled($0, became: $1) })
    }

    var pollInterval: Duration {
        let isListening = isListening.withLock { $0 }
        return isListening ? configuration.listeningPollInterval : configuration.pollInterval
    }

    func setListening(_ listens: Bool) { isListening.withLock { $0 = listens } }

    func jitter() -> Double { surroundings.jitter() }

    func claimFailed(_ error: any Error) {
        if let error = error as? PostgresError, error.sqlState == "TN002" {
            // The session is over: the next beat says so to everyone.
            return lease.beatSoon()
        }
        openClaims.mayHaveLostRuns = true
        observer.observe(.databaseAway(during: "a claim", error))
    }
}
