import Tenure
import TenureFoundation

/// Places in items that aren't there, although something live points at them, directly or by way of
/// redirects; and at how many places it does.
struct ListMissingIn: PostgresStatement {
    static let sql = """
        WITH RECURSIVE \(way)
        SELECT page.href, r.fragment, count(*)
        FROM way AS page
        CROSS JOIN LATERAL (
            SELECT r.item, r.kind, r.fragment, r.raw_fragment FROM content.reference r
            WHERE r.target = page.target AND r.fragment IS NOT NULL OFFSET 0) AS r
        JOIN content.item p ON p.id = r.item
        WHERE p.seen_at IS NOT NULL AND p.outcome <> 'gone'
          AND \(MissingFragment.isMissing)
        GROUP BY page.href, r.fragment
        """
    /// The items that are whole documents, and what redirects to them.
    fileprivate static let way = """
        way AS (
            SELECT i.id AS item, i.id AS target, i.url AS href
            FROM unnest($1::uuid[]) AS u (id) JOIN content.item i ON i.id = u.id
            WHERE \(MissingFragment.isWholePage)
            UNION
            \(ReadTargets.redirectsThere)
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
        WITH RECURSIVE \(ListMissingIn.way), \(RememberMissing.missing), looked AS MATERIALIZED (
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
            WHERE \(RememberMissing.isFound) AND NOT starts_with(f.fragment, ':~:')
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
