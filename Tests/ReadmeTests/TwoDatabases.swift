import Logging
import ServiceLifecycle
import Tenure
import TenureWorker
import UnixSignals

func serveBoth(
    _ mail: PostgresPool, _ bills: PostgresPool, _ jobs: JobRegistry, _ logger: Logger
) async throws {
    var forMail = WorkerConfiguration()
    forMail.queues = [.default: 10, "mail": 4]
    var forBills = WorkerConfiguration()
    forBills.queues = ["bills": 2]
    let services = ServiceGroup(
        services: [
            try Worker(pool: mail, jobs: jobs, configuration: forMail, logger: logger),
            try Worker(pool: bills, jobs: jobs, configuration: forBills, logger: logger),
        ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    try await services.run()
}

func routes(_ mail: PostgresPool, _ bills: PostgresPool) -> QueueRoutes {
    QueueRoutes(["bills": TenureClient(pool: bills)], others: TenureClient(pool: mail))
}

func tenant(_ name: String, _ connection: String) throws -> PostgresPool {
    var configuration = try PostgresConfiguration(connection)
    configuration.schemas = ["tenure": name]
    return PostgresPool(configuration: configuration)
}
