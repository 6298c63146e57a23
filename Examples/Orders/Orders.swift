import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Tenure
import TenureCoordinator
import TenureWorker
import UnixSignals

/// Orders by HTTP, each of them one job from the charge to the mail that asks for a review.
@main
struct Orders {
    static func main() async {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "orders")
        do {
            let settings = try OrderSettings(ProcessInfo.processInfo.environment)
            // `orders-example payments`: the made-up service alone, in a process of its own.
            let isService = CommandLine.arguments.dropFirst().first == "payments"
            let services = isService ? [] : try await services(settings, logger)
            // With a real service there is none of ours.
            let madeUp = settings.payments == nil ? [MadeUpPayments.serve(settings, logger)] : []
            try await run(madeUp + services, logger)
        } catch {
            logger.critical("can't go on", metadata: ["error": "\(error)"])
            exit(1)
        }
    }

    static func services(
        _ settings: OrderSettings, _ logger: Logger
    ) async throws -> [any Service] {
        let pool = PostgresPool(
            configuration: try PostgresConfiguration(settings.database), logger: logger)
        try await Migrator(pool: pool).up()
        try await OrderBook.makeTables(pool)

        let client = TenureClient(pool: pool, logger: logger)
        let payments = PaymentService(url: settings.payments ?? settings.madeUpPayments)
        var configuration = WorkerConfiguration()
        configuration.queues = ["orders": 10, "mail": 5]
        let worker = try Worker(
            pool: pool, jobs: OrderJobs(payments: payments, settings: settings).registry(),
            configuration: configuration, logger: logger)
        let web = Application(
            router: OrderRoutes(book: OrderBook(pool: pool, client: client), settings: settings)
                .router(),
            configuration: .init(address: .hostname("127.0.0.1", port: settings.port)),
            logger: logger)
        // They end in the reverse order: first nobody comes in any more.
        return [pool, try Coordinator(pool: pool, logger: logger), worker, web]
    }

    static func run(_ services: [any Service], _ logger: Logger) async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
                },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }
}
