import Tenure

/// Drops large bodies that no file has had for an hour, a few at a time. Whoever takes one up
/// again meanwhile has touched its row, and is seen.
struct DropUnusedBodies: PostgresStatement {
    static let sql = """
        DELETE FROM content.large_body WHERE hash = ANY (ARRAY(
            SELECT l.hash FROM content.large_body l
            WHERE l.kept_at < clock_timestamp() - interval '1 hour'
              AND NOT EXISTS (SELECT FROM content.file f WHERE f.hash = l.hash)
            ORDER BY l.hash LIMIT 10 FOR UPDATE SKIP LOCKED))
        RETURNING true
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

/// Drops the pieces that belong to no body: of downloads that were given up, that brought what is
/// there already, or that nobody has gone on with for a week.
struct DropUnusedDownloads: PostgresStatement {
    static let sql = """
        DELETE FROM content.download WHERE id = ANY (ARRAY(
            SELECT d.id FROM content.download d
            WHERE (NOT d.is_open OR d.touched_at < clock_timestamp() - interval '7 days')
              AND NOT EXISTS (SELECT FROM content.large_body l WHERE l.download = d.id)
            ORDER BY d.id LIMIT 10 FOR UPDATE SKIP LOCKED))
        RETURNING true
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
