import Tenure
import TenureFoundation

/// Pages of a check that name another as their canonical one, which in the end names them: none of
/// them is it. A page that names itself is right.
struct FindCanonicalLoops: PostgresStatement {
    static let sql = FoundPlace.cut(
        """
        WITH RECURSIVE canonical AS MATERIALIZED (
            SELECT r.item AS page, r.target, r.ordinal FROM content.check_target v
            JOIN content.reference r ON r.item = v.target
            WHERE v.check_id = $1 AND v.follows AND (v.state = 'ok' OR v.is_page)
              AND r.kind = 'canonical' AND r.target IS NOT NULL AND r.target <> r.item
        ), way AS (
            SELECT c.page AS start, c.ordinal, c.target FROM canonical c
            UNION
            SELECT w.start, w.ordinal, c.target FROM way w JOIN canonical c ON c.page = w.target
        )
        SELECT t.href, 'canonicalLoop', NULL::int4, 'its canonical page names this one in the end',
               NULL::text, 'broken', i.url, r.line, r."column", r.kind, r.strength, r.raw, r.words,
               NULL::timestamptz, NULL::timestamptz, r.ordinal
        FROM way w
        JOIN content.reference r ON r.item = w.start AND r.ordinal = w.ordinal
        JOIN content.item i ON i.id = w.start
        JOIN content.target t ON t.id = r.target
        WHERE w.target = w.start
        """)
    let check: UUID
    let most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(most.map(Int64.init))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> FoundPlace { try FoundPlace(row) }
}
