import Tenure
import TenureWorker

/// A worker of the world: the product's engine in a simulated process.
final class RunningWorker: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    let process: SimulatedProcess
    let engine: WorkerEngine
    let listener: SimulatedListener
    let release: String
    private(set) var isOver = false
    private(set) var didStart = false
    private var root: Task<Void, Never>?

    init(
        process: SimulatedProcess, shape: Shape, network: Network, wakeups: WakeupBoard,
        oracle: Oracle, release: String, newJobs: @escaping @Sendable () -> [NewJob]
    ) throws {
        self.process = process
        self.release = release
        listener = SimulatedListener(process: process)
        let handler = SimulatedHandler(
            process: process, network: network, wakeups: wakeups, oracle: oracle, newJobs: newJobs)
        let events = EventCollector(process: process, oracle: oracle)
        engine = try WorkerEngine(
            configuration: Self.configuration(shape, release: release),
            kinds: [
                "work": handler.kind(timeout: nil),
                "timed": handler.kind(timeout: .milliseconds(1200)),
            ],
            stores: WorkerEngine.Stores(
                session: SimulatedSessions(process: process, network: network, oracle: oracle),
                runs: SimulatedRuns(
                    process: process, network: network, wakeups: wakeups, oracle: oracle),
                wakeups: shape.listens ? listener : nil),
            surroundings: Surroundings(
                control: process.control, time: process.clock, beats: process.beats,
                beatTime: process.clock, handlers: process.handlers,
                random: SharedRandom(process.world.random.next())),
            observer: events, beatObserver: events)
    }

    private static func configuration(_ shape: Shape, release: String) -> WorkerConfiguration {
        var configuration = WorkerConfiguration()
        configuration.queues = ["first": shape.slots, "second": 1]
        configuration.name = "simulated"
        configuration.release = release
        configuration.lease = shape.lease
        configuration.pollInterval = shape.poll
        configuration.listeningPollInterval = shape.listeningPoll
        configuration.grace = shape.grace
        return configuration
    }

    /// - Parameter isOver: told whether the engine ran, or could not even start.
    func start(whenOver: @escaping @Sendable (_ ran: Bool) -> Void) {
        didStart = true
        root = Task(executorPreference: process.control) { [self] in
            do {
                try await engine.run()
                isOver = true
                whenOver(true)
            } catch {
                isOver = true
                whenOver(false)
            }
        }
    }

    /// Ends what is left of it, cut off from the world. Returns whether all of it ended.
    func kill() -> Bool {
        guard let root else { return true }
        return process.kill(root) { self.isOver }
    }
}
