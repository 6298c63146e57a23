import Tenure
import TenureFoundation

/// Locks a site against whoever else would start its check, or tell of it.
struct LockSite: PostgresStatement {
    static let sql = """
        SELECT s.last_check, s.known_at IS NOT NULL, s.tells_changes, s.channels
        FROM content.site s WHERE s.id = $1 FOR NO KEY UPDATE
        """
    let id: UUID

    struct Row: Sendable {
        let lastCheck: UUID?
        let isKnown: Bool
        let tellsChanges: Bool
        let channels: [String]
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(id) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            lastCheck: try row.decode(0), isKnown: try row.decode(1),
            tellsChanges: try row.decode(2), channels: try row.decode(3))
    }
}

/// Notes that a check of a site begins.
struct NoteSiteBegun: PostgresStatement {
    static let sql = """
        UPDATE content.site SET last_check = $2, begun_at = content.now() WHERE id = $1
        """
    let site: UUID
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(check)
    }
}

/// Notes that a site is paused, or no longer: its items aren't fetched again meanwhile. Its URL,
/// unless it was so already.
struct NoteSitePause: PostgresStatement {
    static let sql = """
        UPDATE content.site SET paused_at = CASE WHEN $2 THEN content.now() END
        WHERE id = $1 AND (paused_at IS NOT NULL) <> $2
        RETURNING url
        """
    let site: UUID
    let isPaused: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(isPaused)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

/// Notes that a site was due and isn't checked, and why.
struct NoteSkip: PostgresStatement {
    static let sql = """
        UPDATE content.site SET skipped_at = content.now(), skipped_why = $2 WHERE id = $1
        """
    let site: UUID
    let why: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(why.storable)
    }
}

/// Notes that what is broken on a site is known: what comes from now on is news.
struct NoteKnown: PostgresStatement {
    static let sql = "UPDATE content.site SET known_at = content.now() WHERE id = $1"
    let site: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(site) }
}
