import Logging
public import TenurePostgres

/// Brings a database to the schema that this binary knows, one transaction per file.
///
/// Any number of migrators may run at once: they take turns behind a lock that lasts
/// for the transaction, and each looks again under it.
public struct Migrator: Sendable {
    private let pool: PostgresPool
    private let schema: String
    private let migrations: [Migration]

    /// - Parameter schema: the qualifier as the SQL writes it, `tenure`; the pool's configuration
    ///   may map it to another name.
    public init(
        pool: PostgresPool, schema: String = "tenure", migrations: [Migration] = Migration.tenure
    ) {
        self.pool = pool
        self.schema = schema
        self.migrations = migrations
    }

    /// Applies what is pending and returns the names of what this call applied. Who works with the
    /// tables meanwhile is held up for half a second at most at a time: a file that can't have its
    /// locks by then lets all of them go, and is tried again for two minutes.
    /// - Throws: `TenureError` with `.schemaMismatch` if the database is too new for this binary or
    ///   was made by files with other contents: nothing is changed then. `PostgresError` when a
    ///   file fails, with SQLSTATE 55P03 when it never got its locks: the files before it stay
    ///   applied.
    @discardableResult
    public func up() async throws -> [String] {
        try await prepare()
        try verify(try await status())
        var applied: [String] = []
        for (migration, checksum) in zip(migrations, try await checksums()) {
            if try await applyInAMoment(migration, checksum) { applied.append(migration.name) }
        }
        return applied
    }

    /// Every migration that this binary or the database knows, in order.
    public func status() async throws -> [MigrationStatus] {
        guard try await exists() else {
            return migrations.map { MigrationStatus(name: $0.name, state: .pending) }
        }
        let checksums = try await checksums()
        let applied = try await pool.query(
            "SELECT name, checksum, serves_from FROM \(schema).migration ORDER BY name"
        ) { row in
            (
                name: try row.decode(0, as: String.self), sum: try row.decode(1, as: String.self),
                servesFrom: try row.decode(2, as: String.self)
            )
        }
        let byName = Dictionary(uniqueKeysWithValues: applied.map { ($0.name, $0.sum) })
        let known = zip(migrations, checksums).map { migration, own -> MigrationStatus in
            guard let checksum = byName[migration.name] else {
                return MigrationStatus(name: migration.name, state: .pending)
            }
            let isSame = checksum == own
            return MigrationStatus(name: migration.name, state: isSame ? .applied : .changed)
        }
        let names = Set(migrations.map(\.name))
        let newest = migrations.last?.name ?? ""
        let others = applied.filter { !names.contains($0.name) }.map { other in
            MigrationStatus(
                name: other.name, state: other.servesFrom <= newest ? .ahead : .unknown)
        }
        return known + others
    }

    /// Throws unless the database has the schema that this binary was built for, or a newer one
    /// that serves it still.
    public func requireCurrent() async throws {
        let status = try await status()
        try verify(status)
        let pending = status.filter { $0.state == .pending }
        if !pending.isEmpty {
            throw TenureError(
                .schemaMismatch,
                pending.count == migrations.count
                    ? "the database has no \(schema) schema yet; run: tenure migrate up"
                    : "the database lacks \(pending.map(\.name).joined(separator: ", ")); "
                        + "run: tenure migrate up")
        }
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

    private func exists() async throws -> Bool {
        try await pool.query(
            "SELECT to_regclass('\(schema).migration') IS NOT NULL"
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
            """)
    }

    /// Who waits for a table's lock makes all who come later wait behind it, beats too. So it is
    /// waited for less long than any of them can bear, and given up in between.
    private static let lockWait = "500ms"
    private static let pause = Duration.seconds(1)
    private static let patience = Duration.seconds(120)

    private func applyInAMoment(
        _ migration: Migration, _ checksum: String
    ) async throws -> Bool {
        let end = ContinuousClock.now + Self.patience
        while true {
            do {
                return try await apply(migration, checksum)
            } catch let error as PostgresError
                where ["55P03", "40P01"].contains(error.sqlState) && ContinuousClock.now < end
            {
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// All of it in one message, which is one transaction: a migrator that is stopped, or cut off,
    /// holds no table while the server waits to hear more.
    private func apply(_ migration: Migration, _ checksum: String) async throws -> Bool {
        guard try await !isApplied(migration) else { return false }
        let row = [migration.name, checksum, migration.servesFrom]
            .map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
        do {
            try await pool.simple(
                """
                \(turn);
                INSERT INTO \(schema).migration (name, checksum, serves_from) VALUES (\(row));
                SET LOCAL lock_timeout = '\(Self.lockWait)';
                \(migration.sql)
                """)
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
    private var turn: String { "LOCK TABLE \(schema).migration IN SHARE ROW EXCLUSIVE MODE" }

    /// In the order of the migrations.
    private func checksums() async throws -> [String] {
        try await pool.query(
            """
            SELECT encode(sha256(convert_to(m.sql, 'UTF8')), 'hex')
            FROM unnest($1::text[]) WITH ORDINALITY AS m (sql, place) ORDER BY m.place
            """, [migrations.map(\.sql)]
        ) { try $0.decode(0, as: String.self) }
    }
}
