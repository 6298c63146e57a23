import Tenure
import TenureFoundation

/// What decides how items are asked for again. A row for each, in order: it has the database's
/// clock.
struct ReadItems: PostgresStatement {
    static let sql = """
        SELECT content.now(), i.created_at, i.final_url, i.etag, i.last_modified,
               coalesce(i.fresh_until > content.now(), false),
               i.hash, coalesce(i.hash = v.hash, false), coalesce(v.body = v.hash, false),
               i.missing_since, coalesce(s.paused_at IS NOT NULL OR NOT s.refetches, true)
        FROM unnest((SELECT $1::text[])) WITH ORDINALITY AS u (href, place)
        LEFT JOIN LATERAL (
            SELECT i.id, i.version, i.site, i.created_at, i.final_url, i.etag, i.last_modified,
                   i.fresh_until, i.hash, i.missing_since
            FROM content.item i WHERE i.id = content.digest(u.href) OFFSET 0) AS i ON true
        LEFT JOIN LATERAL (
            SELECT v.hash, v.body FROM content.version v
            WHERE v.item = i.id AND v.number = i.version OFFSET 0) AS v ON true
        LEFT JOIN LATERAL (
            SELECT s.paused_at, s.refetches FROM content.site s
            WHERE s.id = i.site OFFSET 0) AS s ON true
        ORDER BY u.place
        """
    let hrefs: [String]

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

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hrefs) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            now: try row.decode(0), createdAt: try row.decode(1), finalURL: try row.decode(2),
            etag: try row.decode(3), lastModified: try row.decode(4), isFresh: try row.decode(5),
            hash: try row.decode(6), isKept: try row.decode(7), hasBody: try row.decode(8),
            missingSince: try row.decode(9), isUnwatched: try row.decode(10))
    }
}
