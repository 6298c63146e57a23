import Tenure

/// Forgets which documents were last seen at URLs that give something else now, a redirect or no
/// document: nobody knows what refers to what from there, and the next visit asks for all of it.
/// What is kept of the items stays. Returns those that it was true of; their edges are to be
/// deleted. Locks the items in the order of their ids.
///
/// What a fetch has brought by way of a redirect is the document at its end, and stays; so does
/// what only a fetch reads, a feed or a file.
struct ForgetDocuments: PostgresStatement {
    static let sql = """
        WITH held AS MATERIALIZED (
            SELECT i.id FROM (
                SELECT content.digest(u.href) AS id FROM unnest($1::text[]) AS u (href)
                ORDER BY 1) AS u
            CROSS JOIN LATERAL (
                SELECT i.id FROM content.item i
                WHERE i.id = u.id AND i.seen_at IS NOT NULL AND i.final_url = i.url
                  AND i.media_type IN ('text/html', 'application/xhtml+xml', 'text/css')
                FOR NO KEY UPDATE) AS i
        )
        UPDATE content.item i
        SET seen_at = NULL, changed_at = now(), fresh_until = NULL, hash = NULL, etag = NULL,
            last_modified = NULL, reference_count = 0, anchor_count = 0, is_complete = false
        WHERE i.id = ANY (array(SELECT h.id FROM held h))
        RETURNING i.url
        """
    let hrefs: [String]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hrefs) }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
