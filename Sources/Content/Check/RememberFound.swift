import Tenure
import TenureFoundation

/// Remembers that fragments are there which were missing: those that a check has looked for, and
/// not missed. One that nothing refers to any more is forgotten.
struct RememberFound: PostgresStatement {
    static let sql = """
        WITH RECURSIVE \(RememberMissing.missing), chain AS (
            SELECT f.target AS start, f.id, f.fragment, v.target, v.state, v.is_page, v.next,
                   0 AS hops
            FROM content.target_fragment f
            JOIN content.check_target v ON v.check_id = $1 AND v.target = f.target
            -- Passages of text are looked for in another way.
            WHERE \(RememberMissing.isFound) AND NOT starts_with(f.fragment, ':~:')
            UNION ALL
            SELECT c.start, c.id, c.fragment, v.target, v.state, v.is_page, v.next, c.hops + 1
            FROM chain c CROSS JOIN LATERAL (
                SELECT v.* FROM content.check_target v
                WHERE v.check_id = $1 AND v.target = c.next OFFSET 0) AS v
            WHERE c.state = 'redirected' AND c.hops < \(Redirects.most)
        ), looked AS MATERIALIZED (
            SELECT c.start AS target, c.id,
                   EXISTS (
                       SELECT FROM content.reference r
                       WHERE r.target = c.start AND r.fragment = c.fragment) AS is_wanted,
                   EXISTS (
                       SELECT FROM content.reference r
                       JOIN content.check_target s ON s.check_id = $1 AND s.target = r.item
                       WHERE r.target = c.start AND r.fragment = c.fragment AND r.kind <> 'form'
                         AND s.follows AND (s.state = 'ok' OR s.is_page)) AS is_found
            FROM chain c JOIN content.item i ON i.id = c.target
            WHERE c.state = 'ok' AND c.is_page AND i.is_complete
            ORDER BY c.start, c.id
        ), \(RememberMissing.remembering)
        """

    let check: UUID
    let missing: [MissingFragment]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(missing.map(\.target))
        try parameters.append(missing.map(\.name))
    }
}
