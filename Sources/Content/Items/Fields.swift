import FoundationEssentials
import Tenure

/// The fields of an item as they count now.
struct ReadFields: PostgresStatement {
    static let sql = """
        SELECT f.name, f.value, f.source, f.asked_at, f.set_at, f.set_by, f.fetch_id
        FROM content.item_field f WHERE f.item = $1 ORDER BY f.name
        """
    let item: UUID

    struct Row: Sendable {
        let name: FieldName
        let value: String
        let source: FieldSource
        let askedAt: Date
        let setAt: Date
        let setBy: String?
        let fetch: UUID?
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(item) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            name: try row.decode(0, known: FieldName.self), value: try row.decode(1),
            source: try row.decode(2, known: FieldSource.self), askedAt: try row.decode(3),
            setAt: try row.decode(4), setBy: try row.decode(5), fetch: try row.decode(6))
    }
}

/// Writes fields and who set them. The item's row is locked.
struct WriteFields: PostgresStatement {
    static let sql = """
        INSERT INTO content.item_field AS f (
            item, name, value, source, asked_at, set_by, fetch_id)
        SELECT $1, n.name, n.value, n.source, $2, $3, $4
        FROM unnest($5::text[], $6::text[], $7::text[]) AS n (name, value, source)
        ON CONFLICT (item, name) DO UPDATE
        SET value = EXCLUDED.value, source = EXCLUDED.source, asked_at = EXCLUDED.asked_at,
            set_at = clock_timestamp(), set_by = EXCLUDED.set_by, fetch_id = EXCLUDED.fetch_id
        """
    let item: UUID
    let askedAt: Date
    var setBy: String?
    var fetch: UUID?
    let fields: [FieldName: FetchedField]

    func bind(_ parameters: inout PostgresParameters) throws {
        let sorted = fields.sorted { $0.key.rawValue < $1.key.rawValue }
        try parameters.append(item)
        try parameters.append(askedAt)
        try parameters.append(setBy)
        try parameters.append(fetch)
        try parameters.append(sorted.map(\.key.rawValue))
        try parameters.append(sorted.map(\.value.value))
        try parameters.append(sorted.map(\.value.source.rawValue))
    }
}

/// Takes fields away, so that the next fetch fills them. The item's row is locked.
struct ForgetFields: PostgresStatement {
    static let sql = """
        DELETE FROM content.item_field f WHERE f.item = $1 AND f.name = ANY ($2::text[])
        """
    let item: UUID
    let names: [FieldName]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(names.map(\.rawValue))
    }
}
