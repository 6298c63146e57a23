import Logging
import Tenure
import TenureWorker
import TestSupport

/// A database of the test's own, migrated, with a pool and a client.
struct WorkerFixture {
    let pool: PostgresPool
    let client: TenureClient
    let logger: Logger

    init(_ label: String) async throws {
        var logger = Logger(label: label)
        logger.logLevel = .critical
        self.logger = logger
        let conninfo = try await TestPostgres.shared().makeDatabase()
        pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), logger: logger)
        client = TenureClient(pool: pool, logger: logger)
        try await Migrator(pool: pool).up()
    }

    /// Runs a worker while `body` runs, then shuts it down without grace.
    func withWorker<Result: Sendable>(
        _ jobs: JobRegistry, slots: Int = 4, lease: Duration = .seconds(3),
        change: (inout WorkerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var configuration = WorkerConfiguration()
        configuration.queues = [.default: slots]
        configuration.lease = lease
        configuration.pollInterval = .milliseconds(100)
        change(&configuration)
        let worker = try Worker(
            pool: pool, jobs: jobs, configuration: configuration, logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.run() }
            let result = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }

    /// Waits until a query's first column is true.
    func eventually(
        _ what: String, within limit: Duration = .seconds(20), _ sql: String
    ) async throws {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let rows = try await pool.query(sql) { try $0.decode(0, as: Bool.self) }
            if rows.first == true { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NeverHappened(what: what)
    }

    func value<Value: PostgresDecodable>(_ sql: String, as: Value.Type = Value.self) async throws
        -> Value
    {
        try await pool.query(sql) { try $0.decode(0, as: Value.self) }[0]
    }
}

struct NeverHappened: Error { let what: String }
