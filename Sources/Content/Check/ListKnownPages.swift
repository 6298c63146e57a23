import HTTPTransport
import Tenure
import Web

/// Items that are there already, and what to ask with for a change.
struct ListKnownPages: PostgresStatement {
    static let sql = """
        SELECT i.url, i.etag, i.last_modified, i.media_type, i.title,
               i.is_complete AND i.hash IS NOT NULL AND i.final_url = i.url
                   AND i.fetched_at IS NOT NULL, i.hash
        FROM unnest($1::text[]) AS u (href)
        CROSS JOIN LATERAL (
            SELECT i.* FROM content.item i WHERE i.id = content.digest(u.href) OFFSET 0) AS i
        """
    let hrefs: [String]

    struct Row: Sendable {
        let href: String
        let etag: String?
        let lastModified: String?
        let isHTML: Bool
        /// Whether it may be a page that says it isn't there: only its text tells.
        let isDoubtful: Bool
        /// All that its URL gave is stored: no limit cut anything off, and nothing was forgotten.
        /// A sitemap never is: what it names is read out of it each time.
        let isWhole: Bool
        /// Of the document that is asked about.
        let hash: [UInt8]?

        var conditions: HTTPHeaders {
            var headers = HTTPHeaders()
            if isDoubtful || !isWhole { return headers }
            headers["If-None-Match"] = etag
            headers["If-Modified-Since"] = lastModified
            return headers
        }
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hrefs) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        let type = try row.decode(3, as: String?.self).flatMap { MediaType($0) }
        return Row(
            href: try row.decode(0), etag: try row.decode(1), lastModified: try row.decode(2),
            isHTML: type?.isHTML ?? false,
            isDoubtful: MissingPage.isTold(by: try row.decode(4, as: String?.self) ?? ""),
            isWhole: try row.decode(5, as: Bool?.self) ?? false,
            hash: try row.decode(6))
    }
}
