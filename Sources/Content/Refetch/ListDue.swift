import Tenure
import TenureFoundation

/// Items of a site that are due, the longest first, and how they are fetched: as they were.
struct ListDue: PostgresStatement {
    static let sql = """
        SELECT d.id, d.url,
               CASE WHEN v.body IS NOT NULL THEN 'article' WHEN v.item IS NOT NULL THEN 'metadata'
                    WHEN f.id IS NOT NULL THEN 'file' ELSE 'article' END
        FROM (
            SELECT i.id, i.url, i.version, i.due_at FROM content.item i
            WHERE i.site = $1 AND i.due_at <= (SELECT content.now())
            ORDER BY i.due_at LIMIT $2
        ) AS d
        LEFT JOIN content.version v ON v.item = d.id AND v.number = d.version
        LEFT JOIN content.file f ON f.id = d.id
        ORDER BY d.due_at, d.id
        """
    let site: UUID
    let most: Int

    struct Row: Sendable {
        let id: UUID
        let url: String
        let mode: ContentFetch.Mode
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(Int64(most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            id: try row.decode(0), url: try row.decode(1),
            mode: try row.decode(2, known: ContentFetch.Mode.self))
    }
}
