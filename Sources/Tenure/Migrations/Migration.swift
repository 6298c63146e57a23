// docs/decisions/upgrades.md

/// One step of a schema's history: forward only, applied once, never edited after a release.
public struct Migration: Sendable {
    /// The file's name, `0001_create_jobs.sql`; migrations are applied in its order.
    public let name: String
    public let sql: String
    /// The newest migration that the oldest program at work with this schema knows, as the header
    /// says it: `-- Serves from: 0010_batches.sql`. Without that line only programs that know this
    /// migration itself can work with it.
    public let servesFrom: String

    public init(name: String, sql: String) {
        self.name = name
        self.sql = sql
        let header = sql.split(separator: "\n").prefix { $0.hasPrefix("--") }
        let line = header.first { $0.hasPrefix(Self.mark) }
        servesFrom = line.map { String($0.dropFirst(Self.mark.count)) } ?? name
    }

    private static let mark = "-- Serves from: "

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
        /// Applied, and unknown to this binary, which the newer schema serves all the same.
        case ahead
        /// Applied, but this binary doesn't know it: the schema is newer.
        case unknown
    }
    public let name: String
    public let state: State
}
