import Tenure
public import TenureFoundation
import Web

/// How a site's items are fetched again.
public struct SiteRefetch: Sendable, Hashable {
    /// Between two fetches of an item.
    public var bounds = RefetchBounds()
    /// Pages that its sitemaps and feeds name are fetched, too, as they appear.
    public var discovers = false

    public init() {}

    /// Where that stands.
    public struct Progress: Sendable {
        /// Items that were due at that moment and are not asked for.
        public let due: Int
        /// Fetches that are enqueued and haven't come to an end.
        public let enqueued: Int
        /// When the next one is due.
        public let nextAt: Date?
        /// The last time that the site's turn came, and what kept it from being served.
        public let lastAt: Date?
        public let why: String?
        /// Of sitemaps and feeds: how many there are, the URLs they name, those that were new, and
        /// what was wrong with one of them.
        public let sitemaps: Int
        public let urls: Int
        public let added: Int
        public let problem: String?
    }
}

/// What is due of a site.
struct ReadRefetch: PostgresStatement {
    static let sql = """
        SELECT (SELECT count(*) FROM content.item i
                WHERE i.site = s.id AND i.due_at <= (SELECT content.now())),
               (SELECT count(*) FROM content.item i
                WHERE i.site = s.id
                  AND i.enqueued_at > (SELECT content.now()) - interval '6 hours'),
               (SELECT min(i.due_at) FROM content.item i
                WHERE i.site = s.id AND i.due_at > (SELECT content.now())),
               s.refetched_at, s.refetch_why, m.sitemaps, m.urls, m.added, m.problem
        FROM content.site s
        CROSS JOIN LATERAL (
            SELECT count(*) AS sitemaps, coalesce(sum(m.urls), 0)::bigint AS urls,
                   coalesce(sum(m.added), 0)::bigint AS added,
                   min(m.url || ': ' || m.problem) AS problem
            FROM content.sitemap m WHERE m.site = s.id) AS m
        WHERE s.id = $1 AND s.refetches
        """
    let site: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(site) }

    static func decode(_ row: borrowing PostgresRow) throws -> SiteRefetch.Progress {
        SiteRefetch.Progress(
            due: try row.total(0), enqueued: try row.total(1), nextAt: try row.decode(2),
            lastAt: try row.decode(3), why: try row.decode(4), sitemaps: try row.total(5),
            urls: try row.total(6), added: try row.total(7), problem: try row.decode(8))
    }
}
