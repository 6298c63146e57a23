import ArgumentParser
import FaultSupport
import Logging
import ServiceLifecycle
import Tenure
import TenureSystem
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
