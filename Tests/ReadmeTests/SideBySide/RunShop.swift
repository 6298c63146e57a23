import ServiceLifecycle
import Tenure
import TenureCoordinator
import TenureWorker
import UnixSignals

/// What stands in it is the page's main.swift.
func runShop(_ database: String, _ gateway: any Gateway) async throws {
    let pool = PostgresPool(configuration: try PostgresConfiguration(database))
    var configuration = WorkerConfiguration()
    configuration.queues = ["payments": 10]
    let worker = try Worker(pool: pool, jobs: payments(gateway), configuration: configuration)
    let coordinator = try Coordinator(pool: pool, owning: "shop", schedules: nightly())
    try await ServiceGroup(
        services: [worker, coordinator], gracefulShutdownSignals: [.sigterm]
    ).run()
}
