import Tenure
import TenureFoundation

/// References of live items to a place that isn't in its document. Behind redirects it is looked
/// for where they end. Documents whose anchors were cut off by a limit say nothing. What nobody has
/// noted yet is missing since its page or that document changed last.
struct ListMissingFragments: PostgresStatement {
    static let sql = """
        WITH RECURSIVE way AS (
            SELECT t.id AS start, t.id AS target, t.state, t.next_href, 0 AS hops
            FROM content.target t WHERE t.state IN ('redirected', 'moved')
            UNION ALL
            SELECT w.start, t.id, t.state, t.next_href, w.hops + 1
            FROM way w JOIN content.target t ON t.id = content.digest(w.next_href)
            WHERE w.state IN ('redirected', 'moved') AND w.hops < \(Redirects.most)
        ), page AS MATERIALIZED (
            SELECT i.id AS start, i.id AS item, i.changed_at FROM content.item i
            WHERE \(MissingFragment.isWholePage)
            UNION ALL
            SELECT w.start, i.id, i.changed_at
            FROM way w JOIN content.item i ON i.id = w.target
            WHERE w.state NOT IN ('redirected', 'moved') AND \(MissingFragment.isWholePage)
              AND NOT EXISTS (SELECT FROM content.item s WHERE s.id = w.start AND s.is_complete)
        ), missing AS MATERIALIZED (
            SELECT t.href, i.url, r.*, greatest(i.changed_at, page.changed_at) AS changed_at
            FROM content.reference r
            JOIN page ON page.start = r.target
            JOIN content.target t ON t.id = r.target
            JOIN content.item i ON i.id = r.item
            WHERE t.state <> 'broken' AND i.seen_at IS NOT NULL AND i.outcome <> 'gone'
              AND NOT EXISTS (
                  SELECT FROM content.target s WHERE s.id = i.id AND s.state = 'broken')
              AND \(MissingFragment.isMissing)
        ), told AS MATERIALIZED (
            SELECT m.href, 'missingFragment' AS code, m.fragment,
                   coalesce(f.first_broken_at, m.changed_at) AS since, f.last_ok_at,
                   m.url, m.line, m."column", m.kind, m.strength, m.raw, m.words, m.ordinal
            FROM missing m
            LEFT JOIN content.target_fragment f
                ON f.target = m.target AND f.id = content.digest(m.fragment)
            UNION ALL
            -- What a check has missed in a page that isn't kept, or in a page's text.
            SELECT t.href, k.code, f.fragment, f.first_broken_at, f.last_ok_at,
                   i.url, r.line, r."column", r.kind, r.strength, r.raw, r.words, r.ordinal
            FROM content.target_fragment f
            CROSS JOIN LATERAL (
                SELECT CASE WHEN starts_with(f.fragment, ':~:') THEN 'missingText'
                            ELSE 'missingFragment' END AS code) AS k
            JOIN content.target t ON t.id = f.target
            JOIN content.reference r ON r.target = f.target
                AND (r.fragment = f.fragment OR k.code = 'missingText'
                     AND right(r.raw, length(f.fragment)) = f.fragment)
            JOIN content.item i ON i.id = r.item
            WHERE f.state = 'missing fragment' AND r.kind <> 'form' AND t.state <> 'broken'
              AND i.seen_at IS NOT NULL AND i.outcome <> 'gone'
              AND (k.code = 'missingText'
                   OR NOT EXISTS (SELECT FROM page WHERE page.start = f.target)
                      AND NOT EXISTS (SELECT FROM content.item s WHERE s.id = f.target))
        )
        SELECT m.href, m.code, NULL::int4, m.fragment, m.since, m.last_ok_at,
               m.url, m.line, m."column", m.kind, m.strength = 'hard', m.raw, m.words
        FROM told m
        WHERE $1::interval IS NULL OR m.since > content.now() - $1
        ORDER BY m.href, m.fragment, m.url, m.ordinal
        """
    let age: Duration?

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(age) }

    static func decode(_ row: borrowing PostgresRow) throws -> BrokenPlaceRow {
        try BrokenPlaceRow(row)
    }
}

/// Live items that name another as their canonical one, which in the end names them.
struct ListCanonicalLoops: PostgresStatement {
    static let sql = """
        WITH RECURSIVE canonical AS MATERIALIZED (
            SELECT r.item AS page, r.target, r.ordinal, i.changed_at
            FROM content.reference r JOIN content.item i ON i.id = r.item
            WHERE r.kind = 'canonical' AND r.target <> r.item AND i.seen_at IS NOT NULL
              AND i.outcome <> 'gone'
              AND NOT EXISTS (
                  SELECT FROM content.target s WHERE s.id = i.id AND s.state = 'broken')
        ), way AS (
            SELECT c.page AS start, c.ordinal, c.target, c.changed_at FROM canonical c
            UNION
            SELECT w.start, w.ordinal, c.target, greatest(w.changed_at, c.changed_at)
            FROM way w JOIN canonical c ON c.page = w.target AND w.target <> w.start
        )
        SELECT t.href, 'canonicalLoop', NULL::int4, NULL::text, w.changed_at, NULL::timestamptz,
               i.url, r.line, r."column", r.kind, r.strength = 'hard', r.raw, r.words
        FROM way w
        JOIN content.reference r ON r.item = w.start AND r.ordinal = w.ordinal
        JOIN content.item i ON i.id = w.start
        JOIN content.target t ON t.id = r.target
        WHERE w.target = w.start
          AND ($1::interval IS NULL OR w.changed_at > content.now() - $1)
        ORDER BY t.href, i.url, r.ordinal
        """
    let age: Duration?

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(age) }

    static func decode(_ row: borrowing PostgresRow) throws -> BrokenPlaceRow {
        try BrokenPlaceRow(row)
    }
}
