import Tenure
import TenureFoundation
import Web

/// Makes items that nobody has seen yet, so that there are rows to lock; a row for each that it
/// did make. In the order of their ids: two who make the same never deadlock.
struct MakeItems: PostgresStatement {
    static let sql = """
        INSERT INTO content.item (id, url, outcome, site)
        SELECT u.id, u.url, 'failed', (
            SELECT s.id FROM content.site s
            WHERE split_part(s.url, '/', 3) = split_part(u.url, '/', 3)
              AND starts_with(u.url, s.prefix) AND s.refetches
            ORDER BY length(s.prefix) DESC, s.id LIMIT 1)
        FROM unnest($1::uuid[], $2::text[]) AS u (id, url)
        ORDER BY u.id
        ON CONFLICT DO NOTHING RETURNING id
        """
    let ids: [UUID]
    let urls: [String]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(ids)
        try parameters.append(urls)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> UUID { try row.decode(0) }
}

/// Locks items until the end of the transaction, in the order of their ids. What hangs on them is
/// read by later statements: one that has waited doesn't see what it waited for.
struct LockItems: PostgresStatement {
    static let sql = """
        WITH goal AS MATERIALIZED (
            SELECT u.id FROM unnest($1::uuid[]) AS u (id) ORDER BY u.id
        )
        SELECT i.id FROM goal g
        CROSS JOIN LATERAL (
            SELECT i.id FROM content.item i WHERE i.id = g.id FOR NO KEY UPDATE) AS i
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }
}

/// Reads items whose rows are locked; no row for one that was deleted.
struct ReadLockedItems: PostgresStatement {
    static let sql = """
        SELECT i.id, i.created_at, i.asked_at, i.missing_since, i.moved_at, i.redirect_to,
               i.version, i.words, i.suspicion, i.hash, i.final_url, i.reference_count,
               i.anchor_count, i.headers::text, v.hash, v.body,
               i.seen_at IS NOT NULL AND i.final_url = i.url
                   AND (i.media_type IN ('text/html', 'application/xhtml+xml', 'text/css')
                        -- A sitemap that a check began at.
                        OR i.media_type IN ('application/xml', 'text/xml')
                           AND i.reference_count > 0),
               i.looked_at IS NULL,
               extract(epoch FROM content.now() - coalesce(i.looked_at, i.created_at))::float8,
               i.change_count, extract(epoch FROM i.change_span)::float8,
               extract(epoch FROM i.refetch_after)::float8,
               extract(epoch FROM s.shortest)::float8, extract(epoch FROM s.longest)::float8
        FROM content.item i
        LEFT JOIN content.version v ON v.item = i.id AND v.number = i.version
        LEFT JOIN content.site s ON s.id = i.site
        WHERE i.id = ANY ($1)
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }

    static func decode(_ row: borrowing PostgresRow) throws -> LockedItem {
        LockedItem(
            id: try row.decode(0), createdAt: try row.decode(1), askedAt: try row.decode(2),
            sightings: Sightings(
                missingSince: try row.decode(3), redirectTo: try row.decode(5),
                movedAt: try row.decode(4)),
            version: try row.count(6),
            words: try row.count(7), suspicion: try row.decode(8),
            hash: try row.decode(9), finalURL: try row.decode(10),
            references: try row.count(11),
            anchors: try row.count(12), headers: try row.decode(13),
            keptHash: try row.decode(14), keptBody: try row.decode(15),
            isPage: try row.decode(16, as: Bool?.self) ?? false,
            pace: try ItemPace(row, from: 17))
    }
}
