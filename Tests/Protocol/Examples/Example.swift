import Synchronization
import Tenure
import TenurePostgres
import TestSupport

/// One test's look at the SQL functions: a transaction that is rolled back, with a kind, a queue
/// and sessions of its own.
struct Example: Sendable {
    let connection: PostgresConnection
    /// The kind and the queue of its jobs.
    let own: String

    static func run(_ body: (Example) async throws -> Void) async throws {
        try await run(in: database.value, "BEGIN", body)
    }

    /// One after another, for what waits until no claim is under way and gives up soon:
    /// `limit_queue` and `rate_queue`. Beside other examples' open transactions that is luck.
    static func runAlone(_ body: (Example) async throws -> Void) async throws {
        try await run(
            in: databaseOfOne.value, "BEGIN; SELECT FROM pg_advisory_xact_lock(1)", body)
    }

    private static func run(
        in database: ExampleDatabase, _ begin: String, _ body: (Example) async throws -> Void
    ) async throws {
        let connection = try await database.connect()
        defer { connection.close() }
        let number = numbers.add(1, ordering: .relaxed).newValue
        try await connection.simple("\(begin); SET LOCAL statement_timeout = '10s'")
        try await body(Example(connection: connection, own: "own\(number)"))
        try await connection.simple("ROLLBACK")
    }

    func perform(_ sql: String) async throws {
        try await connection.simple(sql)
    }

    /// Waits until it alone may do what one does at a time: examples share a database, and whoever
    /// finds such a turn taken does nothing.
    func takeTurn(_ name: String) async throws {
        try await perform("SELECT FROM tenure.turn t WHERE t.name = '\(name)' FOR UPDATE")
    }

    /// The rows of a query whose columns are put together as text.
    func rows(_ sql: String) async throws -> [String] {
        try await connection.query(sql) { try $0.decode(0, as: String?.self) ?? "NULL" }
    }

    func value(_ sql: String) async throws -> String {
        try await rows(sql).first ?? "no row"
    }

    /// The SQLSTATE of a statement that is refused; nil when it isn't.
    func refusal(_ sql: String) async throws -> String? {
        try await connection.simple("SAVEPOINT before")
        do {
            try await connection.simple(sql)
            return nil
        } catch {
            try await connection.simple("ROLLBACK TO before")
            return (error as? PostgresError)?.sqlState
        }
    }

    private static let numbers = Atomic(0)
    private static let database = Task { try await ExampleDatabase() }
    private static let databaseOfOne = Task { try await ExampleDatabase() }
}

/// A database with nothing but the migrations in it.
struct ExampleDatabase: Sendable {
    let conninfo: String

    init() async throws {
        conninfo = try await TestPostgres.shared().makeDatabase()
        let connection = try await connect()
        defer { connection.close() }
        try await connection.simple("SET client_min_messages = warning; CREATE SCHEMA tenure")
        for text in MigrationSet.tenure.texts { try await connection.simple(text) }
    }

    func connect() async throws -> PostgresConnection {
        try await PostgresConnection.connect(try PostgresConfiguration(conninfo))
    }
}
