import Logging
public import TenurePostgres

/// Brings a database to the schema that this binary knows: each migration once, in a transaction of
/// its own, then the functions, all in one transaction, when they are not those that are there.
///
/// Any number of migrators may run at once: they take turns behind a lock that lasts
/// for the transaction, and each looks again under it.
public struct Migrator: Sendable {
    let pool: PostgresPool
    let set: MigrationSet
    let schema: String

    public init(pool: PostgresPool, _ set: MigrationSet = .tenure) {
        self.pool = pool
        self.set = set
        schema = set.schema
    }

    /// Applies what is pending and returns the names of what this call applied; `functions` stands
    /// for all of those. Who works with the tables meanwhile is held up for half a second at most
    /// at a time: a file that can't have its locks by then lets all of them go, and is tried again
    /// for two minutes. Functions are put in place only by a release that knows all migrations of
    /// the database: those of a newer release stay.
    /// - Throws: `TenureError` with `.schemaMismatch` if the database is too new for this binary or
    ///   was made by files with other contents: nothing is changed then. `PostgresError` when a
    ///   file fails, with file and line where the server names the place, and with SQLSTATE 55P03
    ///   when it never got its locks: the files before it stay applied, and of the functions
    ///   either all are replaced or none.
    @discardableResult
    public func up() async throws -> [String] {
        try await prepare()
        let sums = try await checksums()
        try verify(status(of: try await applied(), sums))
        var names: [String] = []
        for (migration, checksum) in zip(set.migrations, sums.migrations) {
            if try await apply(migration, checksum) { names.append(migration.name) }
        }
        if try await applyFunctions(sums.functions) { names.append(Self.functions) }
        return names
    }

    /// Every migration that this binary or the database knows, in order; last, the functions.
    public func status() async throws -> [MigrationStatus] {
        guard try await exists() else {
            let names = set.migrations.map(\.name) + (set.functions.isEmpty ? [] : [Self.functions])
            return names.map { MigrationStatus(name: $0, state: .pending) }
        }
        return status(of: try await applied(), try await checksums())
    }

    /// Throws unless the database has the schema that this binary was built for, or a newer one
    /// that serves it still.
    public func requireCurrent() async throws {
        let status = try await status()
        try verify(status)
        let pending = status.filter { $0.state == .pending }.map(\.name)
        if pending.isEmpty { return }
        let files = pending.filter { $0 != Self.functions }
        let lack =
            switch files.count {
            case set.migrations.count: "the database has no \(schema) schema yet"
            case 0: "the functions of the \(schema) schema are not this program's"
            default: "the database lacks \(files.joined(separator: ", "))"
            }
        throw TenureError(
            .schemaMismatch,
            "\(lack); run: tenure migrate up, or in a program: Migrator(pool:).up()")
    }

    private func verify(_ status: [MigrationStatus]) throws {
        if let newer = status.first(where: { $0.state == .unknown }) {
            throw TenureError(
                .schemaMismatch,
                "the database's schema is newer than this program: it has \(newer.name); "
                    + "use a program at least as new as the one that migrated it")
        }
        if let changed = status.first(where: { $0.state == .changed }) {
            throw TenureError(
                .schemaMismatch,
                "\(changed.name) was applied with other contents than this program carries; "
                    + "use the program that migrated the database, or a newer release")
        }
    }

    /// Whether somebody has begun to migrate the schema, by whatever release.
    package func exists() async throws -> Bool {
        try await pool.query(
            """
            SELECT to_regclass('\(schema).migration') IS NOT NULL
               AND to_regclass('\(schema).function_set') IS NOT NULL
            """
        ) { try $0.decode(0, as: Bool.self) }.first ?? false
    }

    private func prepare() async throws {
        // Who may not migrate hears of it also when there is nothing to do.
        if try await exists() { return try await pool.simple("\(turn); SELECT") }
        // There is no table yet that only migrators could lock, and nobody with rights either.
        try await pool.simple(
            """
            SELECT pg_advisory_xact_lock(hashtext('\(schema).migration'));
            SET LOCAL client_min_messages = warning;
            CREATE SCHEMA IF NOT EXISTS \(pool.configuration.quotedSchema(schema));
            CREATE TABLE IF NOT EXISTS \(schema).migration (
                name        text COLLATE "C" PRIMARY KEY,
                checksum    text NOT NULL,
                serves_from text NOT NULL,
                applied_at  timestamptz NOT NULL DEFAULT clock_timestamp()
            );
            CREATE TABLE IF NOT EXISTS \(schema).function_set (
                number     bigint PRIMARY KEY,
                checksum   text NOT NULL,
                newest     text NOT NULL COLLATE "C",
                applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
            );
            """)
    }

    /// Who waits for a table's lock makes all who come later wait behind it, beats too. So it is
    /// waited for less long than any of them can bear, and given up in between.
    static let lockWait = "500ms"
    private static let pause = Duration.seconds(1)
    private static let patience = Duration.seconds(120)

    /// All of it in one message, which is one transaction: a migrator that is stopped, or cut off,
    /// holds no table while the server waits to hear more.
    func run(_ script: MigrationScript) async throws {
        let end = ContinuousClock.now + Self.patience
        while true {
            do {
                return try await pool.simple(script.text)
            } catch let error as PostgresError {
                let isBusy = ["55P03", "40P01"].contains(error.sqlState)
                guard isBusy, ContinuousClock.now < end else {
                    let sent = try pool.configuration.qualified(script.text)
                    throw isBusy ? error : script.located(error, sent: sent)
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private func apply(_ migration: Migration, _ checksum: String) async throws -> Bool {
        guard try await !isApplied(migration) else { return false }
        let row = Self.literals([migration.name, checksum, migration.servesFrom])
        let begin = """
            \(turn);
            INSERT INTO \(schema).migration (name, checksum, serves_from) VALUES (\(row));
            SET LOCAL lock_timeout = '\(Self.lockWait)';
            """
        do {
            try await run(
                MigrationScript(parts: [
                    .init(text: begin), .init(file: migration.name, text: migration.sql),
                ]))
            return true
        } catch let error as PostgresError where error.constraint == "migration_pkey" {
            // Another migrator has had its turn.
            return false
        }
    }

    private func isApplied(_ migration: Migration) async throws -> Bool {
        try await pool.query(
            "SELECT EXISTS (SELECT FROM \(schema).migration WHERE name = $1)", [migration.name]
        ) { try $0.decode(0, as: Bool.self) }.first ?? false
    }

    /// Migrators take turns, each to the end of its transaction. An advisory lock could be taken by
    /// any login; this one is the owner's, and lets everybody read.
    var turn: String { "LOCK TABLE \(schema).migration IN SHARE ROW EXCLUSIVE MODE" }

    static func literals(_ values: [String]) -> String {
        values.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
    }
}
