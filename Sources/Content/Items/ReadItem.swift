import FoundationEssentials
import Tenure

/// What decides how an item is asked for again. Always a row: it has the database's clock.
struct ReadItem: PostgresStatement {
    static let sql = """
        SELECT content.now(), i.created_at, i.final_url, i.etag, i.last_modified,
               coalesce(i.fresh_until > content.now(), false),
               i.hash, coalesce(i.hash = v.hash, false), coalesce(v.body = v.hash, false),
               i.missing_since, coalesce(s.paused_at IS NOT NULL OR NOT s.refetches, true)
        FROM (VALUES (content.digest($1))) AS u (id)
        LEFT JOIN content.item i ON i.id = u.id
        LEFT JOIN content.version v ON v.item = i.id AND v.number = i.version
        LEFT JOIN content.site s ON s.id = i.site
        """
    let url: String

    struct Row: Sendable {
        let now: Date
        /// Which item of that URL it is; nil when there is none.
        let createdAt: Date?
        /// The URL that the validators belong to.
        let finalURL: String?
        let etag: String?
        let lastModified: String?
        let isFresh: Bool
        let hash: [UInt8]?
        /// What was seen last is what is kept, and not only what a run has passed by.
        let isKept: Bool
        let hasBody: Bool
        /// Of the answers in a row that said it is missing.
        let missingSince: Date?
        /// Nobody watches it, or not now: it is fetched for those alone who ask.
        let isUnwatched: Bool

        /// Whether what is there is all that a fetch in this mode would bring.
        func serves(_ mode: ContentFetch.Mode) -> Bool {
            isKept && (hasBody || mode == .metadata)
        }
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(url) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            now: try row.decode(0), createdAt: try row.decode(1), finalURL: try row.decode(2),
            etag: try row.decode(3), lastModified: try row.decode(4), isFresh: try row.decode(5),
            hash: try row.decode(6), isKept: try row.decode(7), hasBody: try row.decode(8),
            missingSince: try row.decode(9), isUnwatched: try row.decode(10))
    }
}
