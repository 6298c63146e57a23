/// One step of a schema's history: forward only, applied once, never edited after a release.
public struct Migration: Sendable {
    /// The file's name, `0001_create_jobs.sql`; migrations are applied in its order.
    public let name: String
    public let sql: String

    public init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// The library's own schema, as this binary carries it.
    public static var tenure: [Migration] {
        EmbeddedMigrations.files.map { Migration(name: $0.name, sql: $0.sql) }
    }
}

/// Where a migration stands in a database.
public struct MigrationStatus: Sendable {
    public enum State: String, Sendable {
        case applied, pending
        /// Applied with other contents than this binary carries.
        case changed
        /// Applied, but this binary doesn't know it: the schema is newer.
        case unknown
    }
    public let name: String
    public let state: State
}
