// docs/decisions/impact.md

import Tenure
import TenureFoundation

/// Which live items refer to these, directly or by way of redirects, what that means for deleting
/// them all together, and the first places of each.
///
/// Live is an item whose references somebody has read, and that isn't gone or broken. An item that
/// has to stay keeps those it breaks without: that is followed until nothing is added, so cycles
/// end. What is sure and what is too old to be are followed side by side. An old edge counts as one
/// that may break something, unless what isn't asked about has a newer one to the same item.
///
/// References are found by their index (`OFFSET 0` keeps that look from becoming a join over all of
/// them: the plan can't know how few they are). A recursion is believed to give a hundred times
/// what it does, and hash tables behind it are made, and cleared, for as much. So conditions are
/// added that always hold, and are believed to hold for one row in 200: something times 0 is 0.
struct FindDependents: PostgresStatement {
    static let sql = """
        WITH RECURSIVE asked AS MATERIALIZED (
            SELECT u.id FROM unnest($1::uuid[]) AS u (id)
        ), known AS MATERIALIZED (
            SELECT a.id, coalesce(
                       (SELECT i.url FROM content.item i WHERE i.id = a.id),
                       (SELECT t.href FROM content.target t WHERE t.id = a.id)) AS url
            FROM asked a
        ), way AS (
            SELECT k.id AS item, k.id AS target, k.url AS href FROM known k
            UNION
            \(ReadTargets.redirectsThere)
        ), found AS (
            SELECT a.id AS item, a.id AS target, r.*
            FROM asked a CROSS JOIN LATERAL (
                SELECT r.item AS page, r.ordinal, r.line, r."column", r.kind,
                       r.strength = 'hard' AS is_hard, r.raw, r.words
                FROM content.reference r
                WHERE r.target = a.id AND r.item <> a.id OFFSET 0) AS r
            UNION ALL
            SELECT w.item, w.target, r.*
            FROM way w CROSS JOIN LATERAL (
                SELECT r.item AS page, r.ordinal, r.line, r."column", r.kind,
                       r.strength = 'hard' AS is_hard, r.raw, r.words
                FROM content.reference r
                WHERE r.target = w.target AND r.item <> w.item OFFSET 0) AS r
            WHERE w.target <> w.item AND length(w.href) * 0 = 0
        ), edge AS MATERIALIZED (
            SELECT f.*, i.url, i.seen_at,
                   i.seen_at > (SELECT clock_timestamp() - $2::interval) AS is_sure,
                   f.page IN (SELECT a.id FROM asked a) AS is_asked
            FROM found f JOIN content.item i ON i.id = f.page
            WHERE i.seen_at IS NOT NULL AND i.outcome <> 'gone'
              AND NOT EXISTS (
                  SELECT FROM content.target t WHERE t.id = i.id AND t.state = 'broken')
        ), unseen_site AS MATERIALIZED (
            SELECT s.name
            FROM (SELECT DISTINCT split_part(k.url, '/', 3) AS name FROM known k) AS s
            WHERE (SELECT true FROM content.item i
                   WHERE split_part(i.url, '/', 3) = s.name AND i.seen_at IS NOT NULL
                     AND i.outcome <> 'gone' AND i.id NOT IN (SELECT a.id FROM asked a)
                     AND (SELECT true FROM content.target t
                          WHERE t.id = i.id AND t.state = 'broken') IS NULL LIMIT 1)
              AND (SELECT true FROM content.item i
                   WHERE split_part(i.url, '/', 3) = s.name
                     AND i.seen_at > clock_timestamp() - $2::interval
                     AND i.outcome <> 'gone' AND i.id NOT IN (SELECT a.id FROM asked a)
                     AND (SELECT true FROM content.target t
                          WHERE t.id = i.id AND t.state = 'broken') IS NULL LIMIT 1) IS NULL
        ), tie AS MATERIALIZED (
            SELECT DISTINCT e.page, e.item, e.is_sure, e.is_asked FROM edge e
            WHERE (e.is_hard OR NOT e.is_sure AND e.item NOT IN (
                      SELECT o.item FROM edge o WHERE o.is_sure AND NOT o.is_asked))
              AND e.ordinal * 0 = 0
        ), stays AS (
            SELECT b.id, b.is_sure FROM (
                SELECT t.item AS id, t.is_sure FROM tie t WHERE NOT t.is_asked
                UNION ALL
                SELECT k.id, false FROM known k
                WHERE k.url IS NULL
                   OR split_part(k.url, '/', 3) IN (SELECT s.name FROM unseen_site s)) AS b
            UNION
            SELECT t.item, s.is_sure AND t.is_sure
            FROM stays s JOIN tie t ON t.page = s.id WHERE t.is_asked
        ), kept AS MATERIALIZED (
            SELECT s.id, bool_or(s.is_sure) AS is_sure FROM stays s GROUP BY s.id
        ), place AS (
            SELECT e.*, row_number() OVER w AS number
            FROM edge e
            WHERE NOT e.is_asked OR e.page IN (SELECT k.id FROM kept k)
            WINDOW w AS (PARTITION BY e.item ORDER BY NOT e.is_hard, e.page, e.ordinal, e.target)
        ), tally AS MATERIALIZED (
            SELECT e.item, count(*) AS places, count(*) FILTER (WHERE e.is_hard) AS hard
            FROM edge e WHERE NOT e.is_asked OR e.page IN (SELECT k.id FROM kept k)
            GROUP BY e.item
        )
        SELECT k.id, k.url,
               CASE WHEN s.is_sure THEN 'unsafe' WHEN s.id IS NOT NULL THEN 'unknown'
                    WHEN p.item IS NOT NULL THEN 'safeWithRedirect' ELSE 'safe' END AS verdict,
               coalesce(y.places, 0), coalesce(y.hard, 0), coalesce(p.number, 0),
               p.url, p.line, p."column", p.kind, p.is_hard, p.raw, p.words,
               CASE WHEN p.target <> p.item
                    THEN (SELECT t.href FROM content.target t WHERE t.id = p.target) END, p.seen_at
        FROM known k
        LEFT JOIN kept s ON s.id = k.id
        LEFT JOIN tally y ON y.item = k.id
        LEFT JOIN place p ON p.item = k.id AND p.number <= greatest($3, 1)
        """
    let ids: [UUID]
    let options: ImpactOptions

    struct Row: Sendable {
        let id: UUID
        let url: String?
        let verdict: ItemImpact.Verdict
        let places: Int
        let hard: Int
        let number: Int
        var place: DependentPlace?
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(ids)
        try parameters.append(options.maxAge)
        try parameters.append(Int64(options.places))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        var found = Row(
            id: try row.decode(0), url: try row.decode(1),
            verdict: try row.decode(2, known: ItemImpact.Verdict.self),
            places: try row.total(3),
            hard: try row.total(4),
            number: try row.total(5))
        guard let page = try row.decode(6, as: String?.self) else { return found }
        found.place = DependentPlace(
            page: page, line: try row.count(7),
            column: try row.count(8), kind: try row.decode(9),
            isHard: try row.decode(10), raw: try row.decode(11), text: try row.decode(12),
            via: try row.decode(13), seenAt: try row.decode(14))
        return found
    }
}
