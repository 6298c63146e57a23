import Tenure
import TenureFoundation

/// References of a check whose target is there, and has no such anchor. The target of a redirect
/// is its end. Documents whose anchors were cut off by a limit say nothing.
struct FindMissingFragments: PostgresStatement {
    static let sql = FoundPlace.cut(
        """
        WITH RECURSIVE chain AS (
            SELECT v.target AS start, v.target, v.state, v.is_page, v.next, 0 AS hops
            FROM content.check_target v WHERE v.check_id = $1
            UNION ALL
            SELECT c.start, v.target, v.state, v.is_page, v.next, c.hops + 1
            FROM chain c CROSS JOIN LATERAL (
                SELECT v.* FROM content.check_target v
                WHERE v.check_id = $1 AND v.target = c.next OFFSET 0) AS v
            WHERE c.state = 'redirected' AND c.hops < \(Redirects.most)
        ), page AS MATERIALIZED (
            SELECT c.start, c.target AS item FROM chain c
            JOIN content.item i ON i.id = c.target
            WHERE c.state = 'ok' AND c.is_page AND i.is_complete
        )
        SELECT t.href, 'missingFragment', NULL::int4, 'no anchor of that name', r.fragment,
               'missing fragment', i.url, r.line, r."column", r.kind, r.strength, r.raw, r.words,
               f.first_broken_at, f.last_ok_at, r.ordinal
        FROM content.check_target v
        JOIN content.item i ON i.id = v.target
        JOIN content.reference r ON r.item = v.target
        JOIN page ON page.start = r.target
        JOIN content.target t ON t.id = r.target
        LEFT JOIN content.target_fragment f
            ON f.target = r.target AND f.id = content.digest(r.fragment)
        WHERE v.check_id = $1 AND v.follows AND (v.state = 'ok' OR v.is_page)
          AND \(MissingFragment.isMissing)
        """)
    let check: UUID
    let most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(most.map(Int64.init))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> FoundPlace { try FoundPlace(row) }
}
