import EmbeddedPostgres
public import Logging
public import Tenure
public import TenurePostgres
public import TenureTestKit
public import TenureWorker

/// A migrated database of a test's own: a copy of one that is prepared once.
///
/// The first test that asks starts a private PostgreSQL, of the programs that are installed, in a
/// folder below the system's temporary one. It serves all tests of the process, and ends and is
/// removed with it, however that ends. With `TENURE_TEST_DATABASE` set to a connection string or
/// URL, databases are made on that server instead, by a role with CREATEDB and not through a
/// pooler; those of a process that was killed are dropped by the next.
///
/// In a test of swift-testing write `try await TestDatabase.with { database in … }`; in XCTest
/// `make()` in `setUp() async throws` and `close()` in `tearDown() async throws`.
public final class TestDatabase: Sendable {
    public let name: String
    /// For a program of its own that the test starts.
    public let conninfo: String
    public let pool: PostgresPool
    public let client: TenureClient
    public let inspector: Inspector
    private let codec: (any PayloadCodec)?
    private let server: TestServer
    private let logger: Logger

    /// Makes a database, which stays until `close()` or the end of the process.
    /// - Parameters:
    ///   - template: what is in it.
    ///   - server: the connection string of a server to use; nil: as the environment says.
    ///   - codec: of its client, its inspector, its queue and its workers.
    ///   - logger: for what the pool and the client say.
    /// - Throws: `EmbeddedPostgresError` when no PostgreSQL is installed or it doesn't start;
    ///   `TestKitError` when databases can't be made on the server that was given; what the
    ///   template throws; `PostgresError`.
    public static func make(
        _ template: TestTemplate = .tenure, on server: String? = nil,
        codec: (any PayloadCodec)? = nil, logger: Logger = Logger(label: "tenure.test")
    ) async throws -> TestDatabase {
        let server = try await TestServer.shared(server)
        return try TestDatabase(
            try await server.makeDatabase(like: template), on: server, codec, logger)
    }

    /// Makes a database for as long as `body` runs.
    /// - Throws: what `make` and `body` throw.
    public static func with<Result>(
        _ template: TestTemplate = .tenure, on server: String? = nil,
        codec: (any PayloadCodec)? = nil, logger: Logger = Logger(label: "tenure.test"),
        _ body: (TestDatabase) async throws -> Result
    ) async throws -> Result {
        let database = try await make(template, on: server, codec: codec, logger: logger)
        do {
            let result = try await body(database)
            try await database.close()
            return result
        } catch {
            // The test hears of what went wrong first; what stays goes with the process.
            await withoutCancellation { _ = try? await database.close() }
            throw error
        }
    }

    private init(
        _ name: String, on server: TestServer, _ codec: (any PayloadCodec)?, _ logger: Logger
    ) throws {
        self.name = name
        self.server = server
        self.logger = logger
        conninfo = Self.conninfo(server.conninfo, database: name)
        pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), logger: logger)
        self.codec = codec
        client = TenureClient(pool: pool, codec: codec, logger: logger)
        inspector = Inspector(pool: pool, codec: codec)
    }

    /// libpq takes the last of several names.
    private static func conninfo(_ conninfo: String, database: String) -> String {
        guard conninfo.contains("://") else { return "\(conninfo) dbname=\(database)" }
        return conninfo + (conninfo.contains("?") ? "&" : "?") + "dbname=\(database)"
    }

    /// Drops the database, whoever is connected to it. Doing so twice is nothing.
    public func close() async throws {
        await pool.close()
        try await server.drop(name)
    }

    /// Its jobs, to be run one after the other in the test's own process.
    public func queue(_ jobs: JobRegistry = JobRegistry()) -> TestQueue {
        TestQueue(pool: pool, jobs: jobs, codec: codec, logger: logger)
    }

    /// Runs a real worker beside `body`, and ends it, without grace, when `body` has ended: what
    /// runs then is cancelled and handed back. Returns when the worker has ended too. Wait in
    /// `body` for what the worker is to do: `client.result(of:as:deadline:)`.
    /// - Parameter body: runs in a child task, and is cancelled when the worker ends with an error.
    /// - Throws: what `body` throws; `TenureError` for a configuration that can't be used; what the
    ///   worker's `run()` throws.
    public func withWorker<Result: Sendable>(
        _ jobs: JobRegistry, configuration: WorkerConfiguration = WorkerConfiguration(),
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var configuration = configuration
        configuration.codec = configuration.codec ?? codec
        let worker = try Worker(
            pool: pool, jobs: jobs, configuration: configuration, logger: logger)
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await worker.run()
                return nil
            }
            group.addTask { try await body() }
            while let ended = try await group.next() {
                // One that an operator has stopped leaves `body` to go on.
                guard let result = ended else { continue }
                group.cancelAll()
                while try await group.next() != nil {}
                return result
            }
            throw CancellationError()
        }
    }
}
