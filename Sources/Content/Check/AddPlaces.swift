import Tenure
import TenureFoundation

/// Adds to a check what its pages look for inside of their targets, and returns the targets in
/// which something new is to be looked for: fragments of foreign pages, and passages of text. What
/// was found there a moment ago counts as found.
///
/// As in `SpreadCheck`, rows are looked up by key: statistics don't know a check that goes on.
struct AddPlaces: PostgresStatement {
    static let sql = """
        WITH named AS MATERIALIZED (
            SELECT DISTINCT ON (r.target, n.id) r.target, n.id, n.name, n.raw, v.mode
            FROM unnest($2::text[]) AS p (href)
            CROSS JOIN LATERAL (
                SELECT r.target, r.fragment, r.raw_fragment, r.raw FROM content.reference r
                WHERE r.item = content.digest(p.href) AND r.target IS NOT NULL
                  AND r.kind <> 'form'
                  AND ($3 AND r.fragment IS NOT NULL OR $4 AND strpos(r.raw, ':~:') > 0)
                OFFSET 0) AS r
            CROSS JOIN LATERAL (
                SELECT v.mode FROM content.check_target v
                WHERE v.check_id = $1 AND v.target = r.target AND v.state <> 'skipped'
                OFFSET 0) AS v
            CROSS JOIN LATERAL (
                SELECT content.digest(n.name) AS id, n.name, n.raw
                FROM (VALUES
                    (CASE WHEN $3 AND v.mode = 'target' THEN r.fragment END, r.raw_fragment),
                    (CASE WHEN $4 AND ($3 OR v.mode = 'page')
                               AND strpos(r.raw, '#') BETWEEN 1 AND strpos(r.raw, ':~:')
                               AND strpos(r.raw, 'text=') > 0
                               -- A longer one was cut off.
                               AND length(r.raw) < 2000
                          THEN substr(r.raw, strpos(r.raw, ':~:')) END, NULL)
                ) AS n (name, raw)
                WHERE n.name IS NOT NULL) AS n
            ORDER BY r.target, n.id
        ), added AS (
            INSERT INTO content.check_place (check_id, target, id, name, raw, state)
            SELECT $1, n.target, n.id, n.name, n.raw,
                   (SELECT 'known' FROM content.target_fragment f
                    WHERE n.mode = 'target' AND f.target = n.target AND f.id = n.id
                      AND f.state = 'ok' AND f.checked_at > content.now() - $5::interval)
            FROM named n ORDER BY n.target, n.id
            ON CONFLICT DO NOTHING
            RETURNING target, state
        )
        SELECT DISTINCT t.href FROM added a JOIN content.target t ON t.id = a.target
        WHERE a.state IS NULL ORDER BY t.href
        """
    let check: StartedCheck
    let pages: [String]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check.id)
        try parameters.append(pages)
        try parameters.append(check.options.rules.looksIntoForeign)
        try parameters.append(check.options.rules.looksForText)
        try parameters.append(Duration.clamped(seconds: check.options.freshSeconds))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
