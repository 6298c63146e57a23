import Tenure
import TenureFoundation
import Web

/// Writes items' content as it is now as their next versions, with the fields that are there. The
/// items' rows are locked, and their fields are written.
struct AddVersions: PostgresStatement {
    static let sql = """
        INSERT INTO content.version (
            item, number, fetch_id, made_by, changed, words, hash, body, final_url, media_type,
            charset, fields)
        SELECT n.item, n.number, n.fetch_id, n.made_by, string_to_array(n.changed, ' '),
               CASE WHEN n.has_document THEN n.words ELSE coalesce(b.words, 0) END,
               CASE WHEN n.has_document THEN n.hash ELSE b.hash END,
               CASE WHEN n.keeps_body THEN n.hash ELSE b.body END,
               CASE WHEN n.has_document THEN n.final_url ELSE b.final_url END,
               CASE WHEN n.has_document THEN n.media_type ELSE b.media_type END,
               CASE WHEN n.has_document THEN n.charset ELSE b.charset END,
               (SELECT coalesce(jsonb_object_agg(
                           f.name, jsonb_build_object('value', f.value, 'source', f.source)), '{}')
                FROM content.item_field f WHERE f.item = n.item)
        FROM unnest($1::uuid[], $2::int4[], $3::uuid[], $4::text[], $5::text[], $6::bool[],
                    $7::int4[], $8::bytea[], $9::bool[], $10::text[], $11::text[], $12::text[])
             AS n (item, number, fetch_id, made_by, changed, has_document, words, hash, keeps_body,
                   final_url, media_type, charset)
        LEFT JOIN LATERAL (
            SELECT v.words, v.hash, v.body, v.final_url, v.media_type, v.charset
            FROM content.version v WHERE v.item = n.item AND v.number = n.number - 1 OFFSET 0
        ) AS b ON true
        """
    let rows: [Entry]

    struct Entry: Sendable {
        let item: UUID
        let number: Int
        var fetch: UUID?
        var madeBy: String?
        /// Names of fields, and `body`.
        let changed: [String]
        /// The document it is from; nil when it is the one before, with other fields.
        var document: SeenDocument?
        var words = 0
        var keepsBody = false
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(rows.map(\.item))
        try parameters.append(rows.map { Int32(clamping: $0.number) })
        try parameters.append(rows.map(\.fetch))
        try parameters.append(rows.map(\.madeBy))
        try parameters.append(rows.map { $0.changed.joined(separator: " ") })
        try parameters.append(rows.map { $0.document != nil })
        try parameters.append(rows.map { Int32(clamping: $0.words) })
        try parameters.append(rows.map { $0.document?.hash })
        try parameters.append(rows.map(\.keepsBody))
        try parameters.append(
            rows.map { row in row.document.map { URLRedaction.text($0.finalURL.href) } })
        try parameters.append(rows.map { $0.document?.mediaType })
        try parameters.append(rows.map { $0.document?.page.charset })
    }
}
