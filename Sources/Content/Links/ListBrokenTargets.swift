import Tenure
import TenureFoundation

/// Broken targets, and redirects that lead to one or go in a circle, with the places in live items
/// that refer to them.
struct ListBrokenTargets: PostgresStatement {
    static let sql = """
        WITH RECURSIVE way AS (
            SELECT t.id AS start, t.id AS target, t.state, t.code, t.status, t.next_href,
                   t.first_broken_at, t.last_ok_at, 0 AS hops
            FROM content.target t WHERE t.state IN ('redirected', 'moved')
            UNION ALL
            SELECT w.start, t.id, t.state, t.code, t.status, t.next_href, t.first_broken_at,
                   t.last_ok_at, w.hops + 1
            FROM way w JOIN content.target t ON t.id = content.digest(w.next_href)
            WHERE w.state IN ('redirected', 'moved') AND w.hops <= \(Redirects.most)
        ) CYCLE target SET is_loop USING path,
        broken AS (
            SELECT t.id, coalesce(t.code, 'failed') AS code, t.status, t.first_broken_at AS since,
                   t.last_ok_at
            FROM content.target t WHERE t.state = 'broken'
            UNION ALL
            SELECT w.start, coalesce(w.code, 'failed'), w.status, w.first_broken_at, w.last_ok_at
            FROM way w WHERE w.state = 'broken' AND NOT w.is_loop AND w.hops <= \(Redirects.most)
            UNION ALL
            SELECT w.start, CASE WHEN w.is_loop THEN 'redirectLoop' ELSE 'tooManyRedirects' END,
                   NULL,
                   (SELECT max(e.at) FROM content.target_event e WHERE e.target = w.start), NULL
            FROM way w
            WHERE w.is_loop OR w.hops > \(Redirects.most)
        )
        SELECT t.href, b.code, b.status, NULL::text, b.since, b.last_ok_at,
               i.url, r.line, r."column", r.kind, r.strength = 'hard', r.raw, r.words
        FROM broken b
        JOIN content.target t ON t.id = b.id
        JOIN content.reference r ON r.target = b.id
        JOIN content.item i ON i.id = r.item
        WHERE r.kind <> 'form' AND i.seen_at IS NOT NULL AND i.outcome <> 'gone'
          AND NOT EXISTS (SELECT FROM content.target p WHERE p.id = i.id AND p.state = 'broken')
          AND ($1::interval IS NULL OR b.since > content.now() - $1)
        ORDER BY t.href, i.url, r.ordinal
        """
    let age: Duration?

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(age) }

    static func decode(_ row: borrowing PostgresRow) throws -> BrokenPlaceRow {
        try BrokenPlaceRow(row)
    }
}
