import FoundationEssentials
import Tenure
import Web

/// Makes an item that nobody has seen yet, so that there is a row to lock; a row if it did.
struct MakeItem: PostgresStatement {
    static let sql = """
        INSERT INTO content.item (id, url, outcome, site)
        VALUES ($1, $2, 'failed', (
            SELECT s.id FROM content.site s
            WHERE split_part(s.url, '/', 3) = split_part($2, '/', 3) AND starts_with($2, s.prefix)
              AND s.refetches
            ORDER BY length(s.prefix) DESC, s.id LIMIT 1))
        ON CONFLICT DO NOTHING RETURNING true
        """
    let id: UUID
    let url: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(id)
        try parameters.append(url)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

/// Reads an item again, locked until the end of the transaction; no row when it was deleted.
struct LockItem: PostgresStatement {
    static let sql = """
        SELECT i.id, i.created_at, i.asked_at, i.missing_since, i.moved_at, i.redirect_to,
               i.version, i.words, i.suspicion, i.hash, i.final_url, i.reference_count,
               i.anchor_count, i.headers::text, v.hash, v.body,
               i.seen_at IS NOT NULL AND i.final_url = i.url
                   AND i.media_type IN ('text/html', 'application/xhtml+xml', 'text/css'),
               i.looked_at IS NULL,
               extract(epoch FROM content.now() - coalesce(i.looked_at, i.created_at))::float8,
               i.change_count, extract(epoch FROM i.change_span)::float8,
               extract(epoch FROM i.refetch_after)::float8,
               extract(epoch FROM s.shortest)::float8, extract(epoch FROM s.longest)::float8
        FROM content.item i
        LEFT JOIN content.version v ON v.item = i.id AND v.number = i.version
        LEFT JOIN content.site s ON s.id = i.site
        WHERE i.id = $1 FOR NO KEY UPDATE OF i
        """
    let id: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(id) }

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

/// An item as it is, and stays while the transaction lasts.
struct LockedItem: Sendable {
    let id: UUID
    let createdAt: Date
    let askedAt: Date?
    let sightings: Sightings
    let version: Int
    let words: Int
    let suspicion: String?
    /// Of the document that was seen last.
    let hash: [UInt8]?
    let finalURL: String?
    let references: Int
    let anchors: Int
    let headers: String?
    /// Of the document that is kept, and of the body that is.
    let keptHash: [UInt8]?
    let keptBody: [UInt8]?
    /// The URL itself gave it, and a check reads its kind. What a fetch has brought by way of a
    /// redirect is the document at its end; a feed or a file is read by a fetch alone.
    let isPage: Bool
    let pace: ItemPace
    /// This transaction has made it: there is nothing of it yet.
    var isNew = false

    /// When the next fetch is due of an item that is this document now. A check keeps nothing: it
    /// says of what a fetch has kept whether another document is there.
    func due(seen hash: [UInt8]?) -> ItemPace.Due {
        guard let keptHash else { return .never }
        return keptHash == hash ? .policy : .now
    }

    /// Whether what refers and can be referred to in a document is what was seen last.
    func shows(_ document: SeenDocument) -> Bool {
        hash == document.hash && finalURL == document.finalURL.href
            && references == document.page.edges.count && anchors == document.page.anchors.count
    }
}
