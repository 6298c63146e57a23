import Tenure
import TenureFoundation

/// References of a check to what redirects for good, and is well at its end. Where it leads stands
/// in the detail: to the end of the redirects that are for good, before the first that isn't.
struct FindMoved: PostgresStatement {
    static let sql = FoundPlace.cut(
        """
        WITH RECURSIVE way AS (
            SELECT v.target AS start, v.target, v.state, v.status, v.next, true AS is_for_good,
                   0 AS hops
            FROM content.check_target v
            WHERE v.check_id = $1 AND v.state = 'redirected' AND v.status IN (301, 308)
              AND v.next IS NOT NULL
            UNION ALL
            SELECT w.start, v.target, v.state, v.status, v.next,
                   w.is_for_good AND w.status IN (301, 308), w.hops + 1
            FROM way w CROSS JOIN LATERAL (
                SELECT v.* FROM content.check_target v
                WHERE v.check_id = $1 AND v.target = w.next OFFSET 0) AS v
            WHERE w.state = 'redirected' AND w.hops < \(Redirects.most)
        ), goal AS MATERIALIZED (
            SELECT DISTINCT ON (w.start) w.start, w.target FROM way w
            WHERE w.is_for_good AND w.start IN (SELECT e.start FROM way e WHERE e.state = 'ok')
            ORDER BY w.start, w.hops DESC
        )
        SELECT t.href, 'movedForGood', s.status, g.href, NULL::text,
               -- A foreign one is sure when it was seen twice.
               CASE WHEN $3 OR s.mode = 'page' OR t.state = 'moved' THEN 'moved'
                    ELSE 'suspect' END,
               i.url, r.line, r."column", r.kind, r.strength, r.raw, r.words,
               t.changed_at, NULL::timestamptz, r.ordinal
        FROM goal
        CROSS JOIN LATERAL (
            SELECT t.* FROM content.target t WHERE t.id = goal.start OFFSET 0) AS t
        CROSS JOIN LATERAL (
            SELECT g.href FROM content.target g WHERE g.id = goal.target OFFSET 0) AS g
        CROSS JOIN LATERAL (
            SELECT s.status, s.mode FROM content.check_target s
            WHERE s.check_id = $1 AND s.target = goal.start OFFSET 0) AS s
        CROSS JOIN LATERAL (
            SELECT r.* FROM content.reference r
            WHERE r.target = goal.start AND r.kind <> 'form' OFFSET 0) AS r
        CROSS JOIN LATERAL (
            SELECT FROM content.check_target v
            WHERE v.check_id = $1 AND v.target = r.item AND v.follows
              AND (v.state = 'ok' OR v.is_page) OFFSET 0) AS v
        CROSS JOIN LATERAL (
            SELECT i.url FROM content.item i WHERE i.id = r.item OFFSET 0) AS i
        WHERE goal.target <> goal.start
        """)
    let check: UUID
    let most: Int?
    /// One sighting is enough.
    let isStrict: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(most.map(Int64.init))
        try parameters.append(isStrict)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> FoundPlace { try FoundPlace(row) }
}
