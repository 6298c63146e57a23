import TenurePostgres

/// The functions: one checksum for all, and who may put them in place.
extension Migrator {
    /// What stands for them in lists of names.
    package static let functions = "functions"

    /// Puts them in place, all in one transaction, unless they are there already or a newer
    /// release's are. Returns whether it did.
    func applyFunctions(_ checksum: String) async throws -> Bool {
        while true {
            let applied = try await applied()
            switch functionState(of: applied, checksum) {
            case nil, .ahead: return false
            case .applied where applied.functions?.newest ?? "" >= set.newest: return false
            case let state:
                // A release that has the same ones only says that it was here: an older one that
                // looked before its migrations were there has to look again.
                let files = state == .applied ? [] : set.functions
                do {
                    try await run(script(after: applied.functions, checksum, files))
                    return !files.isEmpty
                } catch let error as PostgresError where error.constraint == "function_set_pkey" {
                    // Another migrator has had its turn: look again whose they are now.
                }
            }
        }
    }

    private func script(
        after last: AppliedFunctions?, _ checksum: String, _ files: [FunctionFile]
    ) -> MigrationScript {
        let row = Self.literals([checksum, set.newest])
        let begin = """
            \(turn);
            INSERT INTO \(schema).function_set (number, checksum, newest)
            VALUES (\((last?.number ?? 0) + 1), \(row));
            SET LOCAL lock_timeout = '\(Self.lockWait)';
            SET LOCAL check_function_bodies = on;
            """
        return MigrationScript(
            parts: [.init(text: begin)]
                + files.map { .init(file: "functions/\($0.name)", text: $0.sql) })
    }

    /// Nil: this binary brings none.
    private func functionState(
        of applied: AppliedSet, _ checksum: String
    ) -> MigrationStatus.State? {
        if set.functions.isEmpty { return nil }
        guard let last = applied.functions else { return .pending }
        if last.checksum == checksum { return .applied }
        let known = Set(set.migrations.map(\.name))
        let isBehind = applied.migrations.contains { !known.contains($0.name) }
        return isBehind ? .ahead : .pending
    }

    func status(of applied: AppliedSet, _ sums: Checksums) -> [MigrationStatus] {
        let byName = Dictionary(
            uniqueKeysWithValues: applied.migrations.map { ($0.name, $0.checksum) })
        let known = zip(set.migrations, sums.migrations).map { migration, own in
            let state: MigrationStatus.State =
                switch byName[migration.name] {
                case nil: .pending
                case own: .applied
                default: .changed
                }
            return MigrationStatus(name: migration.name, state: state)
        }
        let names = Set(set.migrations.map(\.name))
        let others = applied.migrations.filter { !names.contains($0.name) }.map { other in
            MigrationStatus(
                name: other.name, state: other.servesFrom <= set.newest ? .ahead : .unknown)
        }
        let functions = functionState(of: applied, sums.functions).map {
            MigrationStatus(name: Self.functions, state: $0)
        }
        return known + others + (functions.map { [$0] } ?? [])
    }

    /// What the database says of itself.
    ///
    /// The functions first: a release commits its migrations before them. So whoever sees another's
    /// functions sees its migrations too, and whoever doesn't is refused the next number.
    func applied() async throws -> AppliedSet {
        let functions = try await pool.query(
            """
            SELECT number, checksum, newest FROM \(schema).function_set
            ORDER BY number DESC LIMIT 1
            """
        ) { row in
            AppliedFunctions(
                number: try row.decode(0), checksum: try row.decode(1), newest: try row.decode(2))
        }
        let migrations = try await pool.query(
            "SELECT name, checksum, serves_from FROM \(schema).migration ORDER BY name"
        ) { row in
            AppliedMigration(
                name: try row.decode(0), checksum: try row.decode(1), servesFrom: try row.decode(2))
        }
        return AppliedSet(migrations: migrations, functions: functions.first)
    }

    /// Those of the migrations in their order, then that of all functions with their names.
    func checksums() async throws -> Checksums {
        let functions = set.functions.map { "\($0.name)\n\($0.sql)" }.joined()
        let sums = try await pool.query(
            """
            SELECT encode(sha256(convert_to(m.sql, 'UTF8')), 'hex')
            FROM unnest($1::text[]) WITH ORDINALITY AS m (sql, place) ORDER BY m.place
            """, [set.migrations.map(\.sql) + [functions]]
        ) { try $0.decode(0, as: String.self) }
        return Checksums(migrations: sums.dropLast(), functions: sums.last ?? "")
    }
}

/// The migrations that a database has, and the functions that were put in place last.
struct AppliedSet: Sendable {
    let migrations: [AppliedMigration]
    let functions: AppliedFunctions?
}

struct AppliedMigration: Sendable {
    let name: String
    let checksum: String
    let servesFrom: String
}

struct AppliedFunctions: Sendable {
    /// Each release that puts its functions in place adds a row.
    let number: Int64
    let checksum: String
    /// The newest migration of that release.
    let newest: String
}

struct Checksums: Sendable {
    let migrations: [String]
    let functions: String
}
