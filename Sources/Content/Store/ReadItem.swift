import FoundationEssentials
import Tenure

/// What decides how an item is fetched again.
struct ReadItem: PostgresStatement {
    static let sql = """
        SELECT i.etag, i.last_modified, coalesce(i.fresh_until > clock_timestamp(), false)
        FROM content.item i WHERE i.id = content.digest($1) AND i.fetched_at IS NOT NULL
        """
    let url: String

    struct Row: Sendable {
        let etag: String?
        let lastModified: String?
        let isFresh: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(url) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            etag: try row.decode(0), lastModified: try row.decode(1),
            isFresh: try row.decode(2))
    }
}
