import Tenure
import TenureFoundation
import Web

/// What is known of a sitemap or a feed, so that it isn't read twice.
struct ReadSitemap: PostgresStatement {
    static let sql = """
        SELECT m.etag, m.last_modified FROM content.sitemap m
        WHERE m.site = $1 AND m.id = content.digest($2)
        """
    let site: UUID
    let url: WebURL

    struct Row: Sendable {
        let etag: String?
        let lastModified: String?
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(url.href)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(etag: try row.decode(0), lastModified: try row.decode(1))
    }
}

/// Notes what a sitemap or a feed has named, or why it couldn't be read.
struct KeepSitemap: PostgresStatement {
    static let sql = """
        INSERT INTO content.sitemap AS m (
            site, id, url, urls, added, etag, last_modified, problem)
        VALUES ($1, content.digest($2), $2, $3, $4, $5, $6, $7)
        ON CONFLICT (site, id) DO UPDATE
        SET looked_at = EXCLUDED.looked_at, urls = EXCLUDED.urls,
            added = m.added + EXCLUDED.added, etag = EXCLUDED.etag,
            last_modified = EXCLUDED.last_modified, problem = EXCLUDED.problem
        """
    let site: UUID
    let url: WebURL
    var urls = 0
    var added = 0
    var etag: String?
    var lastModified: String?
    var problem: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(url.href)
        try parameters.append(Int64(urls))
        try parameters.append(Int64(added))
        try parameters.append(etag?.storable)
        try parameters.append(lastModified?.storable)
        try parameters.append(problem.map { URLRedaction.text($0).storable })
    }
}

/// How many pages of a site were found and haven't been fetched.
struct CountFound: PostgresStatement {
    static let sql = """
        SELECT count(*) FROM content.item i
        WHERE i.site = $1 AND i.due_at IS NOT NULL AND i.version = 0 AND i.code = 'found'
        """
    let site: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(site) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int { try row.total(0) }
}

/// The feeds that a site's first page names, and those that somebody has fetched.
struct ListFeeds: PostgresStatement {
    static let sql = """
        SELECT t.href FROM content.reference r
        JOIN content.target t ON t.id = r.target
        WHERE r.item = content.digest($1) AND r.kind = 'feed'
        UNION
        SELECT i.url FROM content.item i
        WHERE i.site = $2 AND i.due_at IS NOT NULL
          AND i.media_type IN ('application/rss+xml', 'application/atom+xml')
        ORDER BY href LIMIT 20
        """
    let site: RefetchedSite

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site.url.href)
        try parameters.append(site.id)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
