// docs/decisions/repeatable-functions.md

/// What one schema is made of, as a binary carries it: first the migrations, each once; then the
/// functions, all of them, whenever one of them has changed.
public struct MigrationSet: Sendable {
    /// The qualifier as the SQL writes it; a pool's configuration may map it to another name.
    public var schema: String
    /// In their order.
    public var migrations: [Migration]
    /// In the order in which they are put in place.
    public var functions: [FunctionFile]

    public init(schema: String, migrations: [Migration], functions: [FunctionFile] = []) {
        self.schema = schema
        self.migrations = migrations
        self.functions = functions
    }

    /// The library's own schema.
    public static var tenure: MigrationSet {
        MigrationSet(
            schema: "tenure",
            migrations: EmbeddedMigrations.files.map { Migration(name: $0.name, sql: $0.sql) },
            functions: EmbeddedMigrations.functions.map { FunctionFile(name: $0.name, sql: $0.sql) }
        )
    }

    /// All of its SQL, in its order, a text a file. For tests that need no migrator.
    package var texts: [String] { migrations.map(\.sql) + functions.map(\.sql) }

    /// The name of the newest migration, by which releases are compared.
    var newest: String { migrations.last?.name ?? "" }
}

/// A file of SQL functions, which may be run again at any time: `CREATE OR REPLACE FUNCTION`.
public struct FunctionFile: Sendable {
    /// Its path below the folder of functions, `enqueue/supersede.sql`.
    public let name: String
    public let sql: String

    public init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}
