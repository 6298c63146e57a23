import Tenure
import TenureCLI

/// Where the benchmark works: a database of its own on the server it was given, or, where the user
/// may make none, a schema of its own. Nobody's jobs are touched; it is removed at the end.
struct BenchPlace: Sendable {
    let configuration: PostgresConfiguration
    let schema: String
    /// For people.
    let name: String
    private let home: PostgresConfiguration
    private let database: String?

    /// Makes a place for the time of `body`, and removes it however that ends.
    static func with<Result: Sendable>(
        on server: PostgresConfiguration, _ body: @Sendable (BenchPlace) async throws -> Result
    ) async throws -> Result {
        let place = try await make(on: server)
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await body(place))
        } catch {
            outcome = .failure(error)
        }
        let failure = await withoutCancellation { () -> (any Error)? in
            do {
                try await place.remove()
                return nil
            } catch {
                return error
            }
        }
        guard let failure else { return try outcome.get() }
        // One line: a server that is gone fails both.
        if case .failure(let error) = outcome, !(error is CancellationError) {
            throw Failure(
                "\(ErrorLine.text(error)); now the server can't be reached: \(place.name) is left")
        }
        Terminal.error("tenure: \(place.name) is left: \(ErrorLine.text(failure))")
        return try outcome.get()
    }

    /// For people, with the reason why it is no database.
    var description: String {
        isDatabase ? name : "\(name) (the user may not make a database)"
    }

    /// Whether it is a database; a schema otherwise.
    var isDatabase: Bool { database != nil }

    /// Another one on the same server.
    func beside<Result: Sendable>(
        _ body: @Sendable (BenchPlace) async throws -> Result
    ) async throws -> Result {
        try await Self.with(on: home, body)
    }

    private static func make(on server: PostgresConfiguration) async throws -> BenchPlace {
        var home = server
        home.schemas = [:]
        home.statementDeadline = .seconds(1800)
        home.idleInTransactionTimeout = .seconds(86_400)
        let name = "tenure_bench_" + String(UInt64.random(in: .min ... .max), radix: 36)
        return try await BenchPlace(home: home, name: name)
    }

    private init(home: PostgresConfiguration, name: String) async throws {
        let mayCreate = try await Self.with(home) { pool in
            let mayCreate = try await pool.execute(MayCreateDatabase())[0]
            if mayCreate { try await pool.query("CREATE DATABASE \(name)") }
            return mayCreate
        }
        self.home = home
        if mayCreate {
            configuration = home.database(name)
            schema = "tenure"
            database = name
            self.name = "database \(name)"
        } else {
            var mapped = home
            mapped.schemas = ["tenure": name]
            configuration = mapped
            schema = name
            database = nil
            self.name = "schema \(name)"
        }
    }

    private func remove() async throws {
        // Of a server that is gone the user hears soon; one that is only busy has time to answer.
        _ = try await Self.with(home, deadline: .seconds(30)) { pool in
            if let database {
                try await pool.query("DROP DATABASE IF EXISTS \(database) WITH (FORCE)")
            } else {
                try await pool.query("DROP SCHEMA IF EXISTS \(schema) CASCADE")
            }
        }
    }

    /// The queue's tables, empty and new, for the time of `body`.
    func fresh<Result: Sendable>(
        connections: Int = 4, _ body: @Sendable (PostgresPool) async throws -> Result
    ) async throws -> Result {
        try await Self.with(configuration, size: connections) { pool in
            try await pool.query("DROP SCHEMA IF EXISTS tenure CASCADE".qualified(configuration))
            try await Migrator(pool: pool).up()
            return try await body(pool)
        }
    }

    /// The product's tables too. They have a schema of their own name, so only where the place is a
    /// database.
    func freshProduct<Result: Sendable>(
        _ body: @Sendable (PostgresPool) async throws -> Result
    ) async throws -> Result {
        try await fresh(connections: 8) { pool in
            for set in MigrationSet.all where set.schema != "tenure" {
                try await pool.query("DROP SCHEMA IF EXISTS \(set.schema) CASCADE")
                try await Migrator(pool: pool, set).up()
            }
            return try await body(pool)
        }
    }

    func settings() async throws -> [ServerSetting] {
        try await Self.with(configuration) { try await $0.execute(ReadServerSettings()) }
    }

    private static func with<Result>(
        _ configuration: PostgresConfiguration, size: Int = 1,
        deadline: Duration = .seconds(60), _ body: (PostgresPool) async throws -> Result
    ) async throws -> Result {
        let pool = PostgresPool(
            configuration: configuration, size: size, acquireDeadline: deadline)
        do {
            let result = try await body(pool)
            await pool.close()
            return result
        } catch {
            await pool.close()
            throw error
        }
    }
}

extension String {
    /// `tenure` alone, without its dot, is no qualifier that the map would see.
    fileprivate func qualified(_ configuration: PostgresConfiguration) -> String {
        replacing("tenure", with: configuration.quotedSchema("tenure"))
    }
}

/// Whether the user may make a database of the benchmark's own.
struct MayCreateDatabase: PostgresStatement {
    static let sql = "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
