import Tenure
import TenureFoundation

/// All that is told of items, their bodies and fields aside.
enum ItemColumns {
    static let sql = """
        SELECT i.id, i.url, i.outcome, i.code, i.final_url, i.redirect_to, i.moved_at,
               i.missing_since, i.status, i.media_type, i.charset, i.bytes,
               encode(i.hash, 'hex'), i.reference_count, i.anchor_count, v.body IS NOT NULL,
               i.words, i.version, i.suspicion, i.fresh_until, i.first_fetched_at, i.fetched_at,
               i.attempted_at, coalesce(f.value, i.title), c.reason, c.words,
               c.fields #>> '{title,value}', c.fetch_id, c.found_at, c.refused_by
        FROM content.item i
        LEFT JOIN content.version v ON v.item = i.id AND v.number = i.version
        LEFT JOIN content.candidate c ON c.item = i.id
        LEFT JOIN content.item_field f ON f.item = i.id AND f.name = 'title'
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Item {
        let movedAt = try row.decode(6, as: Date?.self)
        var item = Item(
            id: try row.decode(0), url: try row.decode(1),
            outcome: try row.decode(2, known: FetchOutcome.self),
            code: try row.decode(3), finalURL: try row.decode(4),
            movedTo: movedAt == nil ? nil : try row.decode(5), movedAt: movedAt,
            missingSince: try row.decode(7),
            status: try row.number(8),
            mediaType: try row.decode(9), charset: try row.decode(10),
            bytes: try row.decode(11, as: Int64?.self).map(Int.init), hash: try row.decode(12),
            references: try row.count(13),
            anchors: try row.count(14), hasBody: try row.decode(15),
            words: try row.count(16),
            version: try row.count(17), suspicion: try row.decode(18),
            freshUntil: try row.decode(19), firstFetchedAt: try row.decode(20),
            fetchedAt: try row.decode(21), attemptedAt: try row.decode(22),
            seenTitle: try row.decode(23))
        if let reason = try row.decode(24, as: String?.self) {
            item.candidate = Item.Candidate(
                reason: reason, words: try row.count(25),
                title: try row.decode(26), fetch: try row.decode(27), foundAt: try row.decode(28),
                refusedBy: try row.decode(29))
        }
        return item
    }
}

/// One item.
struct DescribeItem: PostgresStatement {
    static let sql = "\(ItemColumns.sql) WHERE i.id = $1"
    let id: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(id) }

    static func decode(_ row: borrowing PostgresRow) throws -> Item {
        try ItemColumns.decode(row)
    }
}

/// Items, those first that somebody last tried to fetch.
struct ListItems: PostgresStatement {
    static let sql = "\(ItemColumns.sql) WHERE \(condition)"
    static let condition = """
        ($1::text IS NULL OR i.outcome = $1)
          AND ($2::text IS NULL OR starts_with(i.url, $2))
          AND (NOT $3 OR c.item IS NOT NULL AND c.refused_at IS NULL OR i.suspicion IS NOT NULL)
          AND i.attempted_at <= coalesce($5::timestamptz, 'infinity')
          AND ($5::timestamptz IS NULL OR i.attempted_at < $5 OR i.id > $6)
        ORDER BY i.attempted_at DESC, i.id LIMIT $4
        """
    let filter: ItemFilter

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(filter.outcome?.rawValue)
        try parameters.append(filter.prefix)
        try parameters.append(filter.isDoubted)
        try parameters.append(JobLimits.rows(filter.limit))
        try parameters.append(filter.after?.at)
        try parameters.append(filter.after?.id)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Item {
        try ItemColumns.decode(row)
    }
}
