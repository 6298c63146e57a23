public import EmbeddedPostgres
package import FaultSupport
import Synchronization
import Tenure
import TenureSystem

/// A PostgreSQL for tests: one private cluster per test process, made when the first test asks
/// and removed when the process ends.
///
/// With `TENURE_TEST_DATABASE` set to a connection string, `shared()` uses that server instead.
/// With `TENURE_TEST_POOLER` set, the databases that tests make are reached through PgBouncer.
public final class TestPostgres: Sendable {
    /// A connection string for the cluster's own database; tests that write make their own.
    public let conninfo: String
    /// The server, for tests that kill it; `nil` when it comes from the environment.
    public let server: EmbeddedPostgres?

    private let psql: Psql
    private let databases = Atomic(0)
    private let poolers = Mutex<[PgBouncer]>([])
    private let prepared = Mutex<[String: Task<String, any Error>]>([:])

    private init(conninfo: String, server: EmbeddedPostgres?) async throws {
        self.conninfo = conninfo
        self.server = server
        psql = try await Psql(conninfo)
    }

    /// The process's cluster. Tests may use it at the same time and must not stop it.
    public static func shared() async throws -> TestPostgres {
        try await running.value
    }

    /// A cluster for one test that kills or restarts it; it goes with the value.
    public static func dedicated(
        settings: [String: String] = [:]
    ) async throws -> TestPostgres {
        var configuration = EmbeddedPostgresConfiguration.temporary()
        configuration.settings = settings
        let server = try await EmbeddedPostgres.start(configuration)
        return try await TestPostgres(conninfo: server.conninfo, server: server)
    }

    /// A server that the test started otherwise.
    public static func of(conninfo: String) async throws -> TestPostgres {
        try await TestPostgres(conninfo: conninfo, server: nil)
    }

    /// PgBouncer in front of this server; it goes with the value.
    package func pooler(_ mode: PgBouncer.Mode = .transaction) async throws -> PgBouncer {
        try await PgBouncer(
            to: socketFile.split(separator: "/").dropLast().map { "/\($0)" }.joined(), mode: mode)
    }

    /// Makes a database with Tenure's own tables, and returns its connection string.
    public func makeMigratedDatabase() async throws -> String {
        try await makeDatabase(like: "tenure") { conninfo in
            let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 1)
            try await Migrator(pool: pool).up()
            await pool.close()
        }
    }

    /// Makes a copy of a database that is prepared once, for the first test that asks.
    /// - Parameter prepare: gets its connection string, and leaves nobody connected to it.
    public func makeDatabase(
        like name: String, _ prepare: @escaping @Sendable (String) async throws -> Void
    ) async throws -> String {
        let template = prepared.withLock { prepared in
            if let template = prepared[name] { return template }
            let template = Task {
                let template = try await create(from: "template1")
                try await prepare(Self.conninfo(conninfo, database: template))
                return template
            }
            prepared[name] = template
            return template
        }
        return try await makeDatabase(from: try await template.value)
    }

    /// Makes an empty database and returns its connection string.
    /// - Parameter template: the name of a database to copy; nobody may be connected to it.
    public func makeDatabase(from template: String = "template1") async throws -> String {
        let name = try await create(from: template)
        if Self.isPooled {
            // One for each: a test that kills its processes may take it down (see PgBouncer).
            let pooler = try await pooler()
            poolers.withLock { $0.append(pooler) }
            return pooler.conninfo(database: name)
        }
        return TestPostgres.conninfo(conninfo, database: name)
    }

    private func create(from template: String) async throws -> String {
        let number = databases.add(1, ordering: .relaxed).newValue
        let name = "test_\(getpid())_\(number)"
        try await psql.run(["CREATE DATABASE \(name) TEMPLATE \(template)"])
        return name
    }

    /// The file of the server's socket, for proxies; from the connection string.
    public var socketFile: String {
        var folder = ""
        var port = "5432"
        for pair in conninfo.split(separator: " ") {
            if pair.hasPrefix("host=") { folder = pair.dropFirst(5).filter { $0 != "'" } }
            if pair.hasPrefix("port=") { port = pair.dropFirst(5).filter { $0 != "'" } }
        }
        return "\(folder)/.s.PGSQL.\(port)"
    }

    /// Runs statements with `psql`; for tests that don't test a driver.
    @discardableResult
    public func psql(_ statements: String...) async throws -> String {
        try await psql.run(statements)
    }

    /// The same server, another database. libpq takes the last of several names.
    public static func conninfo(_ conninfo: String, database: String) -> String {
        guard conninfo.contains("://") else { return "\(conninfo) dbname=\(database)" }
        return conninfo + (conninfo.contains("?") ? "&" : "?") + "dbname=\(database)"
    }

    /// Whether tests reach their databases through a pooler.
    public static let isPooled = getenv("TENURE_TEST_POOLER") != nil

    /// One for all: whoever asks first starts it, and a test that is cancelled does not end it.
    private static let running = Task {
        guard let given = getenv("TENURE_TEST_DATABASE") else { return try await dedicated() }
        return try await TestPostgres(conninfo: String(cString: given), server: nil)
    }
}
