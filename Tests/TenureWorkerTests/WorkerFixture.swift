import Logging
import Synchronization
import Tenure
import TenureWorker
import TestSupport

/// A database of the test's own, migrated, with a pool and a client.
struct WorkerFixture {
    let pool: PostgresPool
    let client: TenureClient
    let logger: Logger

    let conninfo: String

    init(_ label: String) async throws {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        try self.init(conninfo: conninfo, label)
    }

    /// A database that another process has migrated.
    init(conninfo: String, _ label: String, log: Recorder? = nil) throws {
        var logger =
            log.map { recorder in Logger(label: label) { _ in recorder } }
            ?? Logger(label: label)
        logger.logLevel = log == nil ? .critical : .trace
        self.logger = logger
        self.conninfo = conninfo
        pool = PostgresPool(
            configuration: try PostgresConfiguration(conninfo), acquireDeadline: .seconds(60),
            logger: logger)
        client = TenureClient(pool: pool, logger: logger)
    }

    /// The same database, with everything that is logged recorded.
    func recorded(by recorder: Recorder) throws -> WorkerFixture {
        try WorkerFixture(conninfo: conninfo, "recorded", log: recorder)
    }

    /// Runs a worker while `body` runs, then shuts it down without grace.
    func withWorker<Result: Sendable>(
        _ jobs: JobRegistry, slots: Int = 4, lease: Duration = .seconds(3),
        observers: [any JobObserver] = [],
        change: (inout WorkerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var configuration = WorkerConfiguration()
        configuration.queues = [.default: slots]
        configuration.lease = lease
        configuration.pollInterval = .milliseconds(100)
        change(&configuration)
        let worker = try Worker(
            pool: pool, jobs: jobs, configuration: configuration, observers: observers,
            logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.run() }
            let result = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }

    /// Waits until a query's first column is true. The limit is for what hangs: on a busy machine
    /// the tests beside this one make everything slow.
    func eventually(
        _ what: String, within limit: Duration = .seconds(60), _ sql: String
    ) async throws {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let rows = try await pool.query(sql) { try $0.decode(0, as: Bool.self) }
            if rows.first == true { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NeverHappened(what: what)
    }

    /// How many rows there are in a table, or a part of it.
    func count(_ rows: String) async throws -> Int64 {
        try await value("SELECT count(*) FROM \(rows)")
    }

    func value<Value: PostgresDecodable>(_ sql: String, as: Value.Type = Value.self) async throws
        -> Value
    {
        try await pool.query(sql) { try $0.decode(0, as: Value.self) }[0]
    }
}

struct NeverHappened: Error { let what: String }

/// Keeps what is logged, for tests that ask what an operator would have seen.
struct Recorder: LogHandler {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: Logger.Metadata
    }
    private final class Lines: Sendable { let all = Mutex<[Line]>([]) }
    private let lines = Lines()
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    var all: [Line] { lines.all.withLock { $0 } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = Line(
            level: event.level, message: "\(event.message)",
            metadata: metadata.merging(event.metadata ?? [:]) { _, new in new })
        lines.all.withLock { $0.append(line) }
    }
}
