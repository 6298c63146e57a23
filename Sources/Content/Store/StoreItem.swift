import FoundationEssentials
import Tenure
import Web

/// Writes which document a run has seen at a URL. Locks the item.
///
/// The lean way: of an item's content, its fields and versions, it touches nothing. Says whether
/// the document is another than before: then its edges are written anew. No row: an item that was
/// there has been deleted meanwhile, and stays so.
struct StoreItem: PostgresStatement {
    static let sql = """
        WITH old AS MATERIALIZED (
            SELECT i.hash, i.final_url, i.reference_count, i.anchor_count FROM content.item i
            WHERE i.id = content.digest($1) FOR NO KEY UPDATE
        )
        INSERT INTO content.item AS i (
            id, url, final_url, first_fetched_at, fetched_at, seen_at, changed_at, fresh_until,
            bytes, status, reference_count, anchor_count, is_complete, outcome, media_type,
            charset, title, etag, last_modified, hash, redirects)
        SELECT content.digest($1), $1, $3, now(), now(), now(), now(), now() + $4::interval,
               octet_length($2::bytea), $5, $6, $7, $8, 'stored', $9, $10, $11, $12, $13,
               sha256($2), $14
        -- The old row is read first: what this statement has written can't be locked by it.
        FROM (SELECT count(*) AS n FROM old) AS first
        WHERE NOT $15::boolean OR first.n > 0
        ON CONFLICT (id) DO UPDATE SET
            final_url = EXCLUDED.final_url, fetched_at = EXCLUDED.fetched_at,
            seen_at = EXCLUDED.seen_at,
            changed_at = CASE WHEN (i.hash, i.final_url, i.reference_count, i.anchor_count)
                                   IS NOT DISTINCT FROM
                                   (EXCLUDED.hash, EXCLUDED.final_url, EXCLUDED.reference_count,
                                    EXCLUDED.anchor_count)
                              THEN i.changed_at ELSE EXCLUDED.changed_at END,
            first_fetched_at = coalesce(i.first_fetched_at, EXCLUDED.first_fetched_at),
            attempted_at = clock_timestamp(), fresh_until = EXCLUDED.fresh_until,
            bytes = EXCLUDED.bytes, status = EXCLUDED.status,
            reference_count = EXCLUDED.reference_count, anchor_count = EXCLUDED.anchor_count,
            is_complete = EXCLUDED.is_complete, outcome = EXCLUDED.outcome,
            code = NULL, missing_since = NULL, media_type = EXCLUDED.media_type,
            charset = EXCLUDED.charset, title = EXCLUDED.title, etag = EXCLUDED.etag,
            last_modified = EXCLUDED.last_modified, hash = EXCLUDED.hash,
            redirects = EXCLUDED.redirects
        RETURNING NOT EXISTS (
            SELECT FROM old o
            WHERE (o.hash, o.final_url, o.reference_count, o.anchor_count)
                  IS NOT DISTINCT FROM (sha256($2), $3, $6, $7))
        """
    let item: FetchedItem
    /// It was there when its page was asked for.
    let isKnown: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item.url.href)
        try parameters.append(item.body)
        try parameters.append(item.finalURL.href)
        try parameters.append(item.freshFor)
        try parameters.append(item.status.map { Int32(clamping: $0) })
        try parameters.append(Int32(clamping: item.edges.count))
        try parameters.append(Int32(clamping: item.anchors.count))
        try parameters.append(item.isComplete)
        try parameters.append(item.mediaType)
        try parameters.append(item.charset)
        try parameters.append(item.title)
        try parameters.append(item.etag)
        try parameters.append(item.lastModified)
        try parameters.append(item.redirects.map { PostgresJSON($0) })
        try parameters.append(isKnown)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
