import FoundationEssentials
import Tenure
import Web

/// Writes an item's content as it is now as its next version, with the fields that are there. The
/// item's row is locked, and its fields are written.
struct AddVersion: PostgresStatement {
    static let sql = """
        WITH before AS MATERIALIZED (
            SELECT v.words, v.hash, v.body, v.final_url, v.media_type, v.charset
            FROM content.version v WHERE v.item = $1 AND v.number = $2 - 1
        ), now AS MATERIALIZED (
            SELECT coalesce(jsonb_object_agg(
                       f.name, jsonb_build_object('value', f.value, 'source', f.source)), '{}')
                       AS fields
            FROM content.item_field f WHERE f.item = $1
        )
        INSERT INTO content.version (
            item, number, fetch_id, made_by, changed, words, hash, body, final_url, media_type,
            charset, fields)
        SELECT $1, $2, $3, $4, $5, CASE WHEN $6 THEN $7 ELSE coalesce(b.words, 0) END,
               CASE WHEN $6 THEN $8 ELSE b.hash END, CASE WHEN $9 THEN $8 ELSE b.body END,
               CASE WHEN $6 THEN $10 ELSE b.final_url END,
               CASE WHEN $6 THEN $11 ELSE b.media_type END,
               CASE WHEN $6 THEN $12 ELSE b.charset END, n.fields
        FROM now n LEFT JOIN before b ON true
        """
    let item: UUID
    let number: Int
    var fetch: UUID?
    var madeBy: String?
    let changed: [String]
    /// The document it is from; nil when it is the one before, with other fields.
    var document: SeenDocument?
    var words = 0
    var keepsBody = false

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(clamping: number)
        try parameters.append(fetch)
        try parameters.append(madeBy)
        try parameters.append(changed)
        try parameters.append(document != nil)
        try parameters.append(clamping: words)
        try parameters.append(document?.hash)
        try parameters.append(keepsBody)
        try parameters.append(document.map { URLRedaction.text($0.finalURL.href) })
        try parameters.append(document?.mediaType)
        try parameters.append(document?.page.charset)
    }
}

/// Keeps a body, once, whoever has it. One that is there already is held until the commit: no sweep
/// drops it before what refers to it now can be seen.
struct KeepBody: PostgresStatement {
    static let sql = """
        WITH held AS MATERIALIZED (
            SELECT b.hash FROM content.body b WHERE b.hash = $1 FOR KEY SHARE
        )
        INSERT INTO content.body (hash, bytes)
        SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM held)
        ON CONFLICT (hash) DO UPDATE SET stored_at = content.now()
        """
    /// Its SHA-256.
    let hash: [UInt8]
    let body: [UInt8]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(hash)
        try parameters.append(body)
    }
}
