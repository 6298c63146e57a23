import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Tenure
import TenureWeb
import TenureWorker
import UnixSignals

/// An application of Hummingbird: it enqueues, shows how far a job is, and has the console under
/// `/admin`, behind a log-in of its own.
@main
struct Web {
    static func main() async {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "web")
        do { try await run(ProcessInfo.processInfo.environment, logger) } catch {
            logger.critical("can't go on", metadata: ["error": "\(error)"])
            exit(1)
        }
    }

    static func run(_ environment: [String: String], _ logger: Logger) async throws {
        let pool = PostgresPool(
            configuration: try PostgresConfiguration(environment["DATABASE_URL"] ?? ""),
            logger: logger)
        try await Migrator(pool: pool).up()
        try await Reports.makeTables(pool)

        // In a process of their own, workers would be scaled apart from the web server.
        var configuration = WorkerConfiguration()
        configuration.lease = .seconds(6)  // progress goes with the heartbeat: one a second
        var jobs = JobRegistry()
        RenderReport.register(&jobs)
        let worker = try Worker(
            pool: pool, jobs: jobs, configuration: configuration, logger: logger)

        let client = TenureClient(pool: pool, logger: logger)
        let router = Router()
        Reports(pool: pool, client: client).addRoutes(to: router)
        Admin(pool: pool, client: client, password: environment["ADMIN_PASSWORD"])
            .addRoutes(to: router)
        let port = environment["PORT"].flatMap { Int($0) } ?? 8080
        let web = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)

        let services: [any Service] = [pool, worker, web]
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
                },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }
}
