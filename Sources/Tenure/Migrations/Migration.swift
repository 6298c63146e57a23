// docs/decisions/upgrades.md

/// One step of a schema's history: forward only, applied once, never edited after a release. It
/// holds tables, types and changes of data; what runs on them are functions: `FunctionFile`.
public struct Migration: Sendable {
    /// The file's name, `0001_create_jobs.sql`; migrations are applied in its order.
    public let name: String
    public let sql: String
    /// The newest migration that the oldest program at work with this schema knows, as the header
    /// says it: `-- Serves from: 0007_row_types.sql`. Without that line only programs that know
    /// this migration itself can work with it.
    public let servesFrom: String

    public init(name: String, sql: String) {
        self.name = name
        self.sql = sql
        let header = sql.split(separator: "\n").prefix { $0.hasPrefix("--") }
        let line = header.first { $0.hasPrefix(Self.mark) }
        servesFrom = line.map { String($0.dropFirst(Self.mark.count)) } ?? name
    }

    private static let mark = "-- Serves from: "
}

/// Where a migration stands in a database, or the functions do: these are one line, `functions`.
public struct MigrationStatus: Sendable {
    public enum State: String, Sendable, Codable {
        case applied, pending
        /// Applied with other contents than this binary carries.
        case changed
        /// Applied, and unknown to this binary, which the newer schema serves all the same. Of the
        /// functions: they are a newer release's, and `up` leaves them as they are.
        case ahead
        /// Applied, but this binary doesn't know it: the schema is newer.
        case unknown
    }
    public let name: String
    public let state: State
}
