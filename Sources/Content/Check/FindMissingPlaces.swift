import Tenure
import TenureFoundation

/// References of a check to what isn't in their targets: fragments of foreign pages, and passages
/// of text. Of a redirect its end was looked at.
struct FindMissingPlaces: PostgresStatement {
    /// From each place to where it was looked for, with `$1` for the check: `way (start, id, name,
    /// state, hops)`.
    static let way = """
        way AS (
            SELECT p.target AS start, p.id, p.name, p.state, p.next, 0 AS hops
            FROM content.check_place p WHERE p.check_id = $1
            UNION ALL
            SELECT w.start, w.id, w.name, p.state, p.next, w.hops + 1
            FROM way w CROSS JOIN LATERAL (
                SELECT p.* FROM content.check_place p
                WHERE p.check_id = $1 AND p.target = w.next AND p.id = w.id OFFSET 0) AS p
            WHERE w.state = 'moved' AND w.hops <= \(Redirects.most)
        )
        """
    static let sql = FoundPlace.cut(
        """
        WITH RECURSIVE \(way), missing AS MATERIALIZED (
            SELECT w.start, w.id, w.name, starts_with(w.name, ':~:') AS is_text FROM way w
            WHERE w.state = 'missing'
        )
        SELECT t.href, CASE WHEN m.is_text THEN 'missingText' ELSE 'missingFragment' END,
               NULL::int4,
               CASE WHEN m.is_text THEN 'no such text' ELSE 'no anchor of that name' END,
               m.name, 'missing fragment', i.url, r.line, r."column", r.kind, r.strength, r.raw,
               r.words, f.first_broken_at, f.last_ok_at, r.ordinal
        FROM missing m
        CROSS JOIN LATERAL (
            SELECT t.href FROM content.target t WHERE t.id = m.start OFFSET 0) AS t
        CROSS JOIN LATERAL (
            SELECT r.* FROM content.reference r
            WHERE r.target = m.start AND r.kind <> 'form'
              AND CASE WHEN m.is_text
                       THEN strpos(r.raw, '#') BETWEEN 1 AND strpos(r.raw, ':~:')
                            AND substr(r.raw, strpos(r.raw, ':~:')) = m.name
                       ELSE r.fragment = m.name END OFFSET 0) AS r
        CROSS JOIN LATERAL (
            SELECT FROM content.check_target v
            WHERE v.check_id = $1 AND v.target = r.item AND v.follows
              AND (v.state = 'ok' OR v.is_page) OFFSET 0) AS v
        CROSS JOIN LATERAL (
            SELECT i.url FROM content.item i WHERE i.id = r.item OFFSET 0) AS i
        LEFT JOIN content.target_fragment f ON f.target = m.start AND f.id = m.id
        """)
    let check: UUID
    let most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(most.map(Int64.init))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> FoundPlace { try FoundPlace(row) }
}
