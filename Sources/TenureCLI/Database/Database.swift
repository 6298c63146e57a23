import EmbeddedPostgres
import Logging
import ServiceLifecycle
package import Tenure

/// The database a command works with: a configured one, or a private one.
package struct Database: Sendable {
    package let pool: PostgresPool
    let client: TenureClient
    let settings: Settings
    let logger: Logger
    /// Set when no database is configured.
    let shared: SharedPostgres?

    var inspector: Inspector { Inspector(pool: pool) }
    var parts: ProductParts {
        ProductParts(pool: pool, client: client, logger: logger, settings: settings.product)
    }

    /// Whether a private PostgreSQL may be made where there is none.
    enum Absence { case isMade, isRefused }

    /// Opens the database for the time of `body`, and closes it however that ends.
    static func with<Result: Sendable>(
        _ settings: Settings, absent: Absence = .isRefused,
        _ body: @Sendable (Database) async throws -> Result
    ) async throws -> Result {
        let database = try await open(settings, absent)
        do {
            try await database.reach()
            try await database.requireNoPooler()
            let result = try await database.run(body)
            try await database.close()
            return result
        } catch {
            do {
                try await database.close()
            } catch let second {
                // The first error is the one to tell.
                database.logger.error("closing failed", metadata: ["error": "\(second)"])
            }
            throw error
        }
    }

    /// The same, for schemas that must be there and be those this program knows: the queue's, or
    /// for those who run its jobs the product's too.
    package static func current<Result: Sendable>(
        _ settings: Settings, _ sets: [MigrationSet] = [.tenure],
        _ body: @Sendable (Database) async throws -> Result
    ) async throws -> Result {
        try await with(settings) { database in
            for set in sets { try await database.migrator(set).requireCurrent() }
            return try await body(database)
        }
    }

    /// The same with all schemas, for what a command's flags say.
    static func product<Result: Sendable>(
        _ common: CommonFlags, _ body: @Sendable (Database) async throws -> Result
    ) async throws -> Result {
        try await current(try await common.settings(), MigrationSet.all, body)
    }

    private func run<Result: Sendable>(
        _ body: @Sendable (Database) async throws -> Result
    ) async throws -> Result {
        guard let shared else { return try await body(self) }
        async let _: Void = shared.keep()
        // Leaving the scope cancels the keeping, and waits for it.
        return try await body(self)
    }

    /// What is wrong with the database at the start is told once, as the command's error. Later the
    /// pool logs what it lives through.
    private func reach() async throws {
        guard settings.logLevel < .error else { return }
        var quiet = logger
        quiet.logLevel = .critical
        let probe = PostgresPool(configuration: pool.configuration, size: 1, logger: quiet)
        do {
            _ = try await probe.execute(PostgresPing())
        } catch {
            await probe.close()
            throw error
        }
        await probe.close()
    }

    /// `--no-pooler` says that there is none: named statements would fail there, now or later.
    private func requireNoPooler() async throws {
        guard settings.pooler == false else { return }
        let isPooled = try await pool.withConnection { $0.isPooled }
        if isPooled {
            throw Failure(
                "pooler is false, and a pooler is in between: leave it out, or connect directly")
        }
    }

    private static func open(_ settings: Settings, _ absent: Absence) async throws -> Database {
        var shared: SharedPostgres?
        if settings.databaseURL == nil {
            shared = try await openShared(settings, absent)
        }
        var logger = Logger(label: "tenure")
        logger.logLevel = settings.logLevel
        let pool = PostgresPool(
            configuration: try configuration(settings, shared?.conninfo), size: settings.poolSize,
            logger: logger)
        return Database(
            pool: pool, client: TenureClient(pool: pool, logger: logger).acting(from: .cli),
            settings: settings,
            logger: logger, shared: shared)
    }

    static func configuration(
        _ settings: Settings, _ conninfo: String? = nil
    ) throws -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(conninfo ?? settings.databaseURL ?? "")
        configuration.schemas = settings.schema == "tenure" ? [:] : ["tenure": settings.schema]
        configuration.preparesStatements = settings.pooler != true
        return configuration
    }

    private static func openShared(
        _ settings: Settings, _ absent: Absence
    ) async throws -> SharedPostgres {
        guard absent == .isMade || EmbeddedPostgres.hasCluster(in: settings.folder) else {
            throw Failure(
                "no database is configured, and there is none in \(settings.folder): give "
                    + "--database-url or DATABASE_URL, or make a private one with: tenure up")
        }
        Terminal.progress("opening the private PostgreSQL in \(settings.folder) …")
        defer { Terminal.endProgress() }
        return try await SharedPostgres.open(settings.folder)
    }

    private func close() async throws {
        await pool.close()
        try await shared?.close()
    }
}
