import EmbeddedPostgres
import Tenure
import TenureFoundation
import TenurePostgres
import TenureTestKit

/// A server that a test process makes its databases on.
///
/// On one that is given, a process that was killed leaves databases behind. Their names tell the
/// run they belong to, and each run holds a lock of that number for as long as it lives: what
/// belongs to a run whose lock is free is dropped at the start of the next.
final class TestServer: Sendable {
    /// Names the server to use instead of a private one.
    static let variable = "TENURE_TEST_DATABASE"

    let conninfo: String
    private let embedded: EmbeddedPostgres?
    private let pool: PostgresPool
    private let run = Int64.random(in: 1 ... .max)
    private let state = Lock(State())

    private struct State {
        var last = 0
        /// The object beside its task: so nothing else gets its identity.
        var templates: [ObjectIdentifier: (TestTemplate, Task<String, any Error>)] = [:]
    }

    private static let servers = Lock([String: Task<TestServer, any Error>]())
    private static let prefix = "tenure_test_"

    /// One for all tests of the process: whoever asks first starts it, and a test that is cancelled
    /// doesn't end it.
    static func shared(_ given: String?) async throws -> TestServer {
        let named = given ?? ProcessInfo.processInfo.environment[variable]
        let given = named?.isEmpty == true ? nil : named
        let task = servers.withLock { servers in
            if let server = servers[given ?? ""] { return server }
            let server = Task { try await start(given) }
            servers[given ?? ""] = server
            return server
        }
        return try await task.value
    }

    private static func start(_ given: String?) async throws -> TestServer {
        guard let given else {
            var configuration = EmbeddedPostgresConfiguration.temporary()
            // Databases come and go, and each waits for the disk otherwise. What a machine's crash
            // takes away would go with the process anyway; the server's own crash takes nothing.
            configuration.settings = ["fsync": "off", "full_page_writes": "off"]
            let embedded = try await EmbeddedPostgres.start(configuration)
            return try TestServer(embedded.conninfo, embedded)
        }
        let server = try TestServer(given, nil)
        // One that isn't there is said before the first test is taken for a slow one.
        _ = try await server.pool.query("SELECT", deadline: .seconds(10))
        try await server.holdRun()
        try await server.dropLeftOver()
        return server
    }

    private init(_ conninfo: String, _ embedded: EmbeddedPostgres?) throws {
        self.conninfo = conninfo
        self.embedded = embedded
        // One connection: the lock is its session's.
        pool = PostgresPool(
            configuration: try PostgresConfiguration(conninfo), size: 1,
            acquireDeadline: .seconds(60))
    }

    // MARK: Databases

    /// Copies a template, and returns the copy's name.
    func makeDatabase(like template: TestTemplate) async throws -> String {
        let task = state.withLock { state in
            if let known = state.templates[ObjectIdentifier(template)] { return known.1 }
            let task = Task { try await prepare(template) }
            state.templates[ObjectIdentifier(template)] = (template, task)
            return task
        }
        return try await create(from: try await task.value)
    }

    private func prepare(_ template: TestTemplate) async throws -> String {
        let name = try await create(from: "template1")
        let own = PostgresPool(configuration: pool.configuration.database(name), size: 2)
        do {
            try await Migrator(pool: own).up()
            try await template.prepare(own)
        } catch {
            await own.close()
            throw error
        }
        await own.close()
        return name
    }

    private func create(from template: String) async throws -> String {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        if embedded == nil { try await holdRun() }  // its connection may be another by now
        let name = "\(Self.prefix)\(try await oid())_\(run)_\(number)"
        do {
            try await pool.simple(
                "CREATE DATABASE \(name) TEMPLATE \(template)", deadline: .seconds(60))
        } catch let error as PostgresError where error.sqlState == "42501" {
            throw TestKitError(
                "the role of the test server may not make databases: give it CREATEDB, or unset "
                    + "\(Self.variable) for a private server (\(error))")
        }
        return name
    }

    func drop(_ name: String) async throws {
        try await pool.simple("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
    }

    /// Of the database whose locks these are: another one's locks say nothing of its runs.
    private func oid() async throws -> Int64 {
        try await pool.query(
            "SELECT oid::bigint FROM pg_database WHERE datname = current_database()"
        ) { try $0.decode(0, as: Int64.self) }[0]
    }

    // MARK: Runs

    private func holdRun() async throws {
        guard try await pool.withConnection({ !$0.isPooled }) else {
            throw TestKitError(
                "the test server is reached through a pooler, where no lock can be held: give "
                    + "\(Self.variable) the server's own address")
        }
        _ = try await tryLock(run)
    }

    private func tryLock(_ run: Int64) async throws -> Bool {
        try await pool.query("SELECT pg_try_advisory_lock($1)", [run]) {
            try $0.decode(0, as: Bool.self)
        }[0]
    }

    private func dropLeftOver() async throws {
        let own = "\(Self.prefix)\(try await oid())_"
        let names = try await pool.query(
            """
            SELECT datname::text FROM pg_database
            WHERE starts_with(datname::text, $1) AND pg_has_role(datdba, 'USAGE')
            """, [own]
        ) { try $0.decode(0, as: String.self) }
        let runs = Dictionary(grouping: names) { name in
            Int64(name.dropFirst(own.count).prefix { $0 != "_" })
        }
        for case (let run?, let databases) in runs where run != self.run {
            guard try await tryLock(run) else { continue }
            for name in databases { try await drop(name) }
            _ = try await pool.query("SELECT pg_advisory_unlock($1)", [run]) {
                try $0.decode(0, as: Bool.self)
            }
        }
    }
}
