import Tenure
import TenureFoundation
import Web

/// Keeps documents that are doubted beside the content. One that a person has refused stays
/// refused as long as the next ones are the same, or say the same: many pages have a number of
/// their own in each answer. The items' rows are locked.
struct KeepCandidates: PostgresStatement {
    static let sql = """
        INSERT INTO content.candidate AS c (
            item, fetch_id, words, hash, reason, final_url, media_type, charset, fields)
        SELECT n.* FROM unnest($1::uuid[], $2::uuid[], $3::int4[], $4::bytea[], $5::text[],
                               $6::text[], $7::text[], $8::text[], $9::jsonb[]) AS n
        ON CONFLICT (item) DO UPDATE
        SET fetch_id = EXCLUDED.fetch_id, found_at = clock_timestamp(), words = EXCLUDED.words,
            hash = EXCLUDED.hash, reason = EXCLUDED.reason, final_url = EXCLUDED.final_url,
            media_type = EXCLUDED.media_type, charset = EXCLUDED.charset,
            (refused_at, refused_by) = (
                SELECT c.refused_at, c.refused_by
                WHERE c.hash = EXCLUDED.hash
                   OR (c.reason, c.words, c.fields)
                      = (EXCLUDED.reason, EXCLUDED.words, EXCLUDED.fields)),
            fields = EXCLUDED.fields
        """
    let rows: ArraySlice<Entry>

    struct Entry: Sendable {
        let item: UUID
        let fetch: UUID
        let reason: Suspicion
        let document: SeenDocument
        let words: Int
        let fields: [FieldName: FetchedField]

        /// About how many bytes it has.
        var size: Int { fields.values.reduce(500) { $0 + $1.value.utf8.count } }

        fileprivate struct Field: Encodable {
            let value: String
            let source: FieldSource
        }

        fileprivate func json() throws -> PostgresJSON {
            let named = fields.map {
                ($0.key.rawValue, Field(value: $0.value.value, source: $0.value.source))
            }
            let json = try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: named))
            return PostgresJSON(bytes: Array(json))
        }
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(rows.map(\.item))
        try parameters.append(rows.map(\.fetch))
        try parameters.append(rows.map { Int32(clamping: $0.words) })
        try parameters.append(rows.map(\.document.hash))
        try parameters.append(rows.map(\.reason.rawValue))
        try parameters.append(rows.map { URLRedaction.text($0.document.finalURL.href) })
        try parameters.append(rows.map(\.document.mediaType))
        try parameters.append(rows.map(\.document.page.charset))
        try parameters.append(rows.map { try $0.json() })
    }
}

/// What was doubted has been answered: the content is right, or was replaced.
struct DropCandidates: PostgresStatement {
    static let sql = "DELETE FROM content.candidate c WHERE c.item = ANY ($1)"
    let items: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(items) }
}

/// Notes that a person doesn't want a candidate: this one, whatever else is doubted later. The
/// item's row is locked.
struct RefuseCandidate: PostgresStatement {
    static let sql = """
        UPDATE content.candidate c SET refused_at = clock_timestamp(), refused_by = $3
        WHERE c.item = $1 AND c.fetch_id = $2 AND c.refused_at IS NULL
        RETURNING true
        """
    let item: UUID
    let fetch: UUID
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(fetch)
        try parameters.append(whom: whom)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
