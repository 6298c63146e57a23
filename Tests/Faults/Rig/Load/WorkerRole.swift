import ArgumentParser
import FaultSupport
import ServiceLifecycle
import Tenure
import TenureWorker

/// A real worker, whose handlers do what their payload says and write down what they do.
struct WorkerRole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)
    @OptionGroup var options: RoleOptions
    @Option(help: "queue:slots, more than once.") var queue: [String] = ["default:4"]
    @Option(help: "Seconds.") var grace = 1.0
    @Option(help: "Seconds.") var poll = 0.2
    @Option(help: "The sink's socket.") var sink: String?
    @Option(help: "A folder for the notes of handlers that kill their process.")
    var crashNotes: String?
    @Flag(help: "Polling alone finds jobs.") var deafToNotify = false
    @Flag(help: "Nothing delivers cancellations.") var cancellationOff = false

    func run() async throws {
        ParentWatch.start()
        let (log, logger) = try options.start("worker")
        let pool = try options.pool(size: 10, logger: logger)
        var configuration = WorkerConfiguration()
        configuration.name = options.name
        configuration.lease = .seconds(options.lease)
        configuration.queues = try queues()
        configuration.grace = .seconds(grace)
        configuration.pollInterval = .seconds(poll)
        configuration.listeningPollInterval = .seconds(max(2, poll))
        configuration.listens = !deafToNotify
        let tools = WorkerTools(
            log: log, sink: sink.map { SinkAddress($0) }, deliversCancellation: !cancellationOff,
            crashNotes: crashNotes)
        var jobs = JobRegistry()
        register(Work.self, in: &jobs, tools)
        register(Errand.self, in: &jobs, tools)
        register(Timed.self, in: &jobs, tools)
        let worker = try Worker(
            pool: pool, jobs: jobs, configuration: configuration, logger: logger,
            watchingSession: { WatchedSession(store: $0, log: log) },
            watchingRuns: { WatchedRuns(store: $0, log: log) })
        try await ServiceGroup.run(worker, logger)
        await pool.close()
    }

    private func register<J: Planned>(
        _ type: J.Type, in jobs: inout JobRegistry, _ tools: WorkerTools
    ) {
        jobs.handle(type) { job, context in
            try await Handling(plan: job.plan, context: context, tools: tools).run()
        }
    }

    private func queues() throws -> [QueueName: Int] {
        var queues: [QueueName: Int] = [:]
        for entry in queue {
            let parts = entry.split(separator: ":")
            guard parts.count == 2, let slots = Int(parts[1]) else {
                throw ValidationError("--queue is \(entry); give queue:slots")
            }
            queues[QueueName(String(parts[0]))] = slots
        }
        return queues
    }
}
