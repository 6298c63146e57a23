import Foundation
import Logging
import ServiceLifecycle
import Tenure
import TenureCoordinator
import TenureWorker
import UnixSignals

/// A whole program: a worker, a coordinator and their pool, until SIGTERM, SIGINT, or `tenure
/// worker stop`. It ends with exit code 0 then.
@main
struct Shop {
    static func main() async {
        // Before anything is made that logs or counts. Metrics likewise, with what you export by:
        // MetricsSystem.bootstrap(…).
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "shop")
        do { try await run(logger) } catch {
            logger.critical("the shop can't go on", metadata: ["error": "\(error)"])
            exit(1)
        }
    }

    static func run(_ logger: Logger) async throws {
        let url = ProcessInfo.processInfo.environment["DATABASE_URL"] ?? ""
        let pool = PostgresPool(configuration: try PostgresConfiguration(url), logger: logger)
        try await Migrator(pool: pool).up()

        let worker = try Worker(pool: pool, jobs: jobs(), logger: logger)
        let coordinator = try Coordinator(
            pool: pool, owning: "shop",
            schedules: [try Schedule("nightly", cron: "30 2 * * *", CountStock())],
            logger: logger)

        // They end in the reverse order: the pool closes when nobody needs it any more.
        let services: [any Service] = [pool, coordinator, worker]
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    // One that ends by itself was asked to: so does the program then.
                    .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
                },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }

    static func jobs() -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(CountStock.self) { _, context in
            context.progress(done: 1, note: "counted")
            return .completed
        }
        return jobs
    }
}

struct CountStock: Job {
    static let kind: JobKind = "count-stock"
    static let options = JobOptions<Self>(timeout: .seconds(600))
}
