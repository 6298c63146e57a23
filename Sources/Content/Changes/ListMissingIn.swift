import FoundationEssentials
import Tenure

/// Places in items that aren't there, although something live points at them, directly or by way of
/// redirects; and at how many places it does.
struct ListMissingIn: PostgresStatement {
    static let sql = """
        WITH RECURSIVE \(way)
        SELECT w.href, r.fragment, count(*)
        FROM way w
        CROSS JOIN LATERAL (
            SELECT r.item, r.fragment, r.raw_fragment FROM content.reference r
            WHERE r.target = w.target AND r.fragment IS NOT NULL AND r.kind <> 'form'
            OFFSET 0) AS r
        JOIN content.item p ON p.id = r.item
        WHERE p.seen_at IS NOT NULL AND p.outcome <> 'gone'
          AND (SELECT true FROM content.anchor a
               WHERE a.item = w.item AND a.id = content.digest(r.fragment)) IS NULL
          AND (SELECT true FROM content.anchor a
               WHERE a.item = w.item AND a.id = content.digest(r.raw_fragment)) IS NULL
        GROUP BY w.href, r.fragment
        """
    /// The items that are whole documents, and what redirects to them.
    fileprivate static let way = """
        way AS (
            SELECT i.id AS item, i.id AS target, i.url AS href
            FROM unnest($1::uuid[]) AS u (id) JOIN content.item i ON i.id = u.id
            WHERE i.is_complete AND i.seen_at IS NOT NULL AND i.outcome <> 'gone'
              AND i.media_type IN ('text/html', 'application/xhtml+xml')
            UNION
            \(ReadTarget.redirectsThere)
        )
        """
    let items: [UUID]

    struct Row: Sendable {
        let fragment: MissingFragment
        let places: Int
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(items) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            fragment: MissingFragment(target: try row.decode(0), name: try row.decode(1)),
            places: try row.total(2))
    }
}

/// Remembers that places in items are there which were missing: those that something points at, and
/// that are not among the missing ones. One that nothing refers to any more is forgotten.
struct RememberFoundIn: PostgresStatement {
    static let sql = """
        WITH RECURSIVE \(ListMissingIn.way), missing AS MATERIALIZED (
            SELECT content.digest(m.href) AS target, content.digest(m.name) AS id
            FROM unnest($2::text[], $3::text[]) AS m (href, name)
        ), looked AS MATERIALIZED (
            SELECT f.target, f.id,
                   EXISTS (
                       SELECT FROM content.reference r
                       WHERE r.target = f.target AND r.fragment = f.fragment) AS is_wanted,
                   EXISTS (
                       SELECT FROM content.reference r JOIN content.item p ON p.id = r.item
                       WHERE r.target = f.target AND r.fragment = f.fragment AND r.kind <> 'form'
                         AND p.seen_at IS NOT NULL AND p.outcome <> 'gone') AS is_found
            FROM (SELECT DISTINCT w.target FROM way w) AS w
            JOIN content.target_fragment f ON f.target = w.target
            WHERE f.state = 'missing fragment' AND NOT EXISTS (
                SELECT FROM missing m WHERE m.target = f.target AND m.id = f.id)
            ORDER BY f.target, f.id
        ), \(RememberMissing.remembering)
        """
    let items: [UUID]
    let missing: [MissingFragment]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(items)
        try parameters.append(missing.map(\.target))
        try parameters.append(missing.map(\.name))
    }
}
