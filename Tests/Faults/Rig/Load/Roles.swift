import ArgumentParser
import FaultSupport
import Glibc
import Logging
import ServiceLifecycle
import Tenure
import TenureCoordinator
import TenureWorker
import UnixSignals

/// What every process of the load is told.
struct RoleOptions: ParsableArguments {
    @Option var name = "role"
    @Option(help: "Where it writes its log.") var log = "/dev/stdout"
    @Option var conninfo: String
    @Option(help: "Seconds.") var lease = 3.0
    @Option var seed: UInt64 = 0

    func start(_ role: String) throws -> (log: LineFile, logger: Logger) {
        let log = try LineFile(log)
        log.write([
            ("event", "start"), ("role", .string(role)), ("pid", JSONValue(Int(getpid()))),
            ("name", .string(name)),
        ])
        return (log, RecordingLogHandler.logger(log))
    }

    func pool(size: Int, logger: Logger, conninfo other: String? = nil) throws -> PostgresPool {
        PostgresPool(
            configuration: try PostgresConfiguration(other ?? conninfo), size: size,
            logger: logger)
    }
}

extension ServiceGroup {
    /// Until SIGTERM.
    static func run(_ service: any Service, _ logger: Logger) async throws {
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [service], gracefulShutdownSignals: [.sigterm], logger: logger)
        ).run()
    }
}

struct WorkerRole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)
    @OptionGroup var options: RoleOptions
    @Option(help: "queue:slots, more than once.") var queue: [String] = ["default:4"]
    @Option(help: "Seconds.") var grace = 1.0
    @Option(help: "Seconds.") var poll = 0.2
    @Option(help: "The sink's socket.") var sink: String?
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
            log: log, sink: sink.map { SinkAddress($0) }, deliversCancellation: !cancellationOff)
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

struct CoordinatorRole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coordinator", shouldDisplay: false)
    @OptionGroup var options: RoleOptions

    func run() async throws {
        ParentWatch.start()
        let (log, logger) = try options.start("coordinator")
        let pool = try options.pool(size: 4, logger: logger)
        var configuration = CoordinatorConfiguration()
        configuration.name = options.name
        configuration.lease = .seconds(options.lease)
        configuration.tick = .milliseconds(500)
        configuration.housekeeping = .seconds(20)
        let tick = Work(plan: Plan(tag: "tick", milliseconds: [30]))
        let coordinator = try Coordinator(
            pool: pool, schedules: [Schedule("tick", every: .seconds(1), tick)],
            configuration: configuration, logger: logger,
            watchingSession: { WatchedSession(store: $0, log: log) })
        try await ServiceGroup.run(coordinator, logger)
        await pool.close()
    }
}

struct SinkRole: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sink", shouldDisplay: false)
    @Option var socket: String
    @Option var log: String

    func run() throws {
        ParentWatch.start()
        try Sink(path: socket, log: LineFile(log)).run()
    }
}
