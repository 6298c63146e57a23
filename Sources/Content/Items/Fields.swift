import Tenure
import TenureFoundation

/// The fields of items as they count now.
struct ReadFields: PostgresStatement {
    static let sql = """
        SELECT f.item, f.name, f.value, f.source, f.asked_at, f.set_at, f.set_by, f.fetch_id
        FROM content.item_field f WHERE f.item = ANY ($1) ORDER BY f.item, f.name
        """
    let items: [UUID]

    struct Row: Sendable {
        let item: UUID
        let name: FieldName
        let value: String
        let source: FieldSource
        let askedAt: Date
        let setAt: Date
        let setBy: String?
        let fetch: UUID?
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(items) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            item: try row.decode(0), name: try row.decode(1, known: FieldName.self),
            value: try row.decode(2), source: try row.decode(3, known: FieldSource.self),
            askedAt: try row.decode(4), setAt: try row.decode(5), setBy: try row.decode(6),
            fetch: try row.decode(7))
    }
}

/// Writes fields and who set them. The items' rows are locked.
struct WriteFields: PostgresStatement {
    static let sql = """
        INSERT INTO content.item_field AS f (
            item, name, value, source, asked_at, set_by, fetch_id)
        SELECT n.item, n.name, n.value, n.source, n.asked_at, n.set_by, n.fetch_id
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[],
                    $7::uuid[]) AS n (item, name, value, source, asked_at, set_by, fetch_id)
        ON CONFLICT (item, name) DO UPDATE
        SET value = EXCLUDED.value, source = EXCLUDED.source, asked_at = EXCLUDED.asked_at,
            set_at = clock_timestamp(), set_by = EXCLUDED.set_by, fetch_id = EXCLUDED.fetch_id
        """
    let rows: ArraySlice<Entry>

    struct Entry: Sendable {
        let item: UUID
        let name: FieldName
        let field: FetchedField
        let askedAt: Date
        var setBy: String?
        var fetch: UUID?

        /// An item's, in the order of their names.
        static func all(
            _ fields: [FieldName: FetchedField], of item: UUID, askedAt: Date,
            setBy: String? = nil, fetch: UUID? = nil
        ) -> [Entry] {
            fields.sorted { $0.key.rawValue < $1.key.rawValue }.map { name, field in
                Entry(
                    item: item, name: name, field: field, askedAt: askedAt, setBy: setBy,
                    fetch: fetch)
            }
        }
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(rows.map(\.item))
        try parameters.append(rows.map(\.name.rawValue))
        try parameters.append(rows.map(\.field.value))
        try parameters.append(rows.map(\.field.source.rawValue))
        try parameters.append(rows.map(\.askedAt))
        try parameters.append(rows.map(\.setBy))
        try parameters.append(rows.map(\.fetch))
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
