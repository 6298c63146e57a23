import FoundationEssentials
import Tenure
import Web

/// Keeps a document that is doubted beside the content. The item's row is locked.
struct KeepCandidate: PostgresStatement {
    static let sql = """
        INSERT INTO content.candidate AS c (
            item, fetch_id, words, hash, reason, final_url, media_type, charset, fields)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (item) DO UPDATE
        SET fetch_id = EXCLUDED.fetch_id, found_at = clock_timestamp(), words = EXCLUDED.words,
            hash = EXCLUDED.hash, reason = EXCLUDED.reason, final_url = EXCLUDED.final_url,
            media_type = EXCLUDED.media_type, charset = EXCLUDED.charset,
            fields = EXCLUDED.fields
        """
    let item: UUID
    let fetch: UUID
    let reason: Suspicion
    let document: SeenDocument
    let words: Int
    let fields: [FieldName: FetchedField]

    private struct Field: Encodable {
        let value: String
        let source: FieldSource
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        let named = fields.map {
            ($0.key.rawValue, Field(value: $0.value.value, source: $0.value.source))
        }
        let json = try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: named))
        try parameters.append(item)
        try parameters.append(fetch)
        try parameters.append(clamping: words)
        try parameters.append(document.hash)
        try parameters.append(reason.rawValue)
        try parameters.append(URLRedaction.text(document.finalURL.href))
        try parameters.append(document.mediaType)
        try parameters.append(document.page.charset)
        try parameters.append(PostgresJSON(String(decoding: json, as: UTF8.self)))
    }
}

/// What was doubted has been answered: the content is right, or was replaced.
struct DropCandidate: PostgresStatement {
    static let sql = "DELETE FROM content.candidate c WHERE c.item = $1"
    let item: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(item) }
}
