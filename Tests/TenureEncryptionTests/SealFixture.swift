import Logging
import Tenure
import TenureEncryption
import TenureFoundation
import TenureWorker
import TestSupport

/// A migrated database, and programs that encrypt.
struct SealFixture {
    static let one = Array(repeating: UInt8(1), count: 32)
    static let two = Array(repeating: UInt8(2), count: 32)
    static let canary = "kanary-in-clear"

    let pool: PostgresPool
    let logger: Logger

    init() async throws {
        var logger = Logger(label: "seal")
        logger.logLevel = .critical
        self.logger = logger
        pool = PostgresPool(
            configuration: try PostgresConfiguration(
                try await TestPostgres.shared().makeMigratedDatabase()),
            acquireDeadline: .seconds(60), logger: logger)
    }

    /// With keys by their names, of which the first is the current one.
    static func codec(_ names: String..., readsPlain: Bool = true) throws -> AESGCMCodec {
        try AESGCMCodec(
            keys: names.map { try EncryptionKey($0, bytes: $0 == "k1" ? one : two) },
            current: names[0], readsPlain: readsPlain)
    }

    func client(_ codec: (any PayloadCodec)?) -> TenureClient {
        TenureClient(pool: pool, codec: codec, logger: logger)
    }

    /// Runs a worker while `body` runs, then shuts it down without grace.
    func withWorker<Result: Sendable>(
        _ jobs: JobRegistry, _ codec: (any PayloadCodec)?,
        change: (inout WorkerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var configuration = WorkerConfiguration()
        configuration.queues = [.default: 4]
        configuration.pollInterval = .milliseconds(50)
        configuration.sweepInterval = .milliseconds(50)
        configuration.codec = codec
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

    func eventually(_ what: String, _ sql: String) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if try await value("SELECT coalesce((\(sql)), false)") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        let jobs: String? = try await value("SELECT json_agg(j)::text FROM tenure.job j")
        throw NeverHappened(what: "\(what): \(jobs ?? "no jobs")")
    }

    func value<Value: PostgresDecodable>(
        _ sql: String, as: Value.Type = Value.self
    ) async throws -> Value {
        try await pool.query(sql) { try $0.decode(0, as: Value.self) }[0]
    }

    /// The tables in which the canary stands.
    func tablesInClear() async throws -> [String] {
        let names = try await pool.query(
            """
            SELECT c.relname::text FROM pg_class c
            WHERE c.relnamespace = 'tenure'::regnamespace AND c.relkind = 'r'
            """
        ) { try $0.decode(0, as: String.self) }
        var found: [String] = []
        for name in names {
            let isThere: Bool = try await value(
                """
                SELECT EXISTS (SELECT FROM tenure.\(name) AS t
                               WHERE t::text LIKE '%\(Self.canary)%')
                """)
            if isThere { found.append(name) }
        }
        return found
    }
}

struct NeverHappened: Error { let what: String }

/// What handlers have seen, in order.
actor Seen {
    private(set) var all: [String] = []
    func add(_ text: String) { all.append(text) }
}

struct Note: Job {
    static let kind: JobKind = "note"
    static let options = JobOptions<Self>(
        retry: .exponential(maxAttempts: 2), key: { job in job.key.map { .keeping($0) } })
    var text: String
    var key: String?
}
