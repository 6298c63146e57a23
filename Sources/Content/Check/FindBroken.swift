import Tenure
import TenureFoundation
import Web

/// The targets of a check that are broken, loop, or lead to one that is, with every place that
/// refers to them. A chain of redirects is judged by its end.
///
/// Statistics never know a check that has just ended, and expect one row of it: what is found by
/// key is looked up by key (`OFFSET 0` keeps that look from becoming a join), and the few ends are
/// found once.
struct FindBroken: PostgresStatement {
    static let sql = FoundPlace.cut(
        """
        WITH RECURSIVE chain AS (
            SELECT v.target AS start, v.target, v.state, v.code, v.status, v.detail, v.next,
                   0 AS hops
            FROM content.check_target v WHERE v.check_id = $1
            UNION ALL
            SELECT c.start, v.target, v.state, v.code, v.status, v.detail, v.next, c.hops + 1
            FROM chain c CROSS JOIN LATERAL (
                SELECT v.* FROM content.check_target v
                WHERE v.check_id = $1 AND v.target = c.next OFFSET 0) AS v
            WHERE c.state = 'redirected' AND c.hops <= \(Redirects.most)
        ) CYCLE target SET is_loop USING way,
        ends AS MATERIALIZED (
            SELECT c.start,
                   CASE WHEN c.is_loop THEN 'redirectLoop'
                        WHEN c.hops > \(Redirects.most) THEN 'tooManyRedirects'
                        ELSE c.code END AS code,
                   CASE WHEN NOT e.is_endless THEN c.status END AS status,
                   CASE WHEN c.is_loop THEN 'the redirects lead back to ' || t.href
                        WHEN c.hops > \(Redirects.most) THEN 'more than \(Redirects.most) redirects'
                        WHEN c.hops > 0 THEN concat(c.detail, ', after a redirect to ', t.href)
                        ELSE c.detail END AS detail,
                   CASE WHEN e.is_endless THEN 'broken' ELSE c.state END AS state,
                   CASE WHEN e.is_endless THEN (
                            -- Since the last of its redirects came to be.
                            SELECT max(o.changed_at) FROM chain k
                            JOIN content.target o ON o.id = k.target
                            WHERE k.start = c.start AND k.state = 'redirected')
                        ELSE t.first_broken_at END AS first_broken_at,
                   CASE WHEN NOT e.is_endless THEN t.last_ok_at END AS last_ok_at
            FROM chain c JOIN content.target t ON t.id = c.target
            CROSS JOIN LATERAL (SELECT c.is_loop OR c.hops > \(Redirects.most)) AS e (is_endless)
            WHERE e.is_endless OR c.state IN ('broken', 'suspect')
        )
        SELECT t.href, coalesce(e.code, 'failed'), e.status, e.detail, NULL::text, e.state,
               p.url, p.line, p."column", p.kind, p.strength, p.raw, p.words,
               e.first_broken_at, e.last_ok_at, p.ordinal
        FROM ends e
        CROSS JOIN LATERAL (
            SELECT t.href FROM content.target t WHERE t.id = e.start OFFSET 0) AS t
        CROSS JOIN LATERAL (
            SELECT s.depth, s.hops, s.given_in, s.given_line FROM content.check_target s
            WHERE s.check_id = $1 AND s.target = e.start OFFSET 0) AS s
        CROSS JOIN (SELECT k.folder FROM content.site_check k WHERE k.id = $1) AS k
        LEFT JOIN LATERAL (
            SELECT i.url, r.line, r."column", r.ordinal, r.kind, r.strength, r.raw, r.words
            FROM (SELECT r.* FROM content.reference r
                  WHERE r.target = e.start AND r.kind <> 'form' OFFSET 0) AS r
            CROSS JOIN LATERAL (
                SELECT FROM content.check_target v
                WHERE v.check_id = $1 AND v.target = r.item AND v.follows
                  AND (v.state = 'ok' OR v.is_page) OFFSET 0) AS v
            CROSS JOIN LATERAL (
                SELECT i.url FROM content.item i WHERE i.id = r.item OFFSET 0) AS i
            UNION ALL
            SELECT s.given_in, s.given_line, 1, 0, '\(FindingPlace.listKind)',
                   '\(Reference.Strength.soft.rawValue)', t.href, NULL
            WHERE s.given_in IS NOT NULL
        ) AS p ON true
        WHERE p.url IS NOT NULL
           OR (s.depth = 0 AND s.hops = 0
               -- A folder's page for what is missing says so, and is right.
               AND (k.folder IS NULL OR e.code IS DISTINCT FROM 'soft404'))
        """)
    let check: UUID
    let most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(most.map(Int64.init))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> FoundPlace { try FoundPlace(row) }
}

/// Four statements end so.
extension FoundPlace {
    /// A statement that finds places, with at most `$2` rows of what it finds, if that is given:
    /// the first findings, and as many places of each as there is room for.
    ///
    /// A link of a navigation is on every page of a site, and who reads this holds all of it.
    static func cut(_ sql: String) -> String {
        """
        WITH found (target, code, status, detail, fragment, state, page, line, "column", kind,
                    strength, raw, words, first_broken_at, last_ok_at, ordinal) AS (
        \(sql)
        ), numbered AS MATERIALIZED (
            SELECT f.*, count(*) OVER finding AS place_count,
                   bool_or(f.strength = '\(Reference.Strength.hard)') OVER finding AS is_hard,
                   row_number() OVER (finding ORDER BY f.page, f.ordinal) AS place_number,
                   dense_rank() OVER (ORDER BY f.target, f.code, f.fragment) AS finding_number
            FROM found f WINDOW finding AS (PARTITION BY f.target, f.code, f.fragment)
        ), room AS MATERIALIZED (
            SELECT max(n.finding_number) AS findings,
                   greatest($2::int8 / greatest(max(n.finding_number), 1), 1) AS places
            FROM numbered n
        )
        SELECT n.target, n.code, n.status, n.detail, n.fragment, n.state, n.page, n.line,
               n."column", n.kind, n.is_hard, n.raw, n.words, n.first_broken_at, n.last_ok_at,
               n.place_count, r.findings
        FROM numbered n CROSS JOIN room r
        WHERE $2 IS NULL OR (n.finding_number <= $2 AND n.place_number <= r.places)
        ORDER BY n.finding_number, n.place_number
        """
    }
}
