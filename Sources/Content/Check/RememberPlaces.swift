import Tenure
import TenureFoundation

/// Remembers what a check has found inside of targets, and an event for each that was missing.
struct RememberPlaces: PostgresStatement {
    static let sql = """
        WITH RECURSIVE \(FindMissingPlaces.way), clock AS MATERIALIZED (
            SELECT content.now() AS at
        ), found AS MATERIALIZED (
            SELECT w.start AS target, w.id, w.name FROM way w WHERE w.state = 'found'
        ), held AS MATERIALIZED (
            SELECT f.target, f.id, f.state FROM (SELECT * FROM found ORDER BY target, id) AS g
            CROSS JOIN LATERAL (
                SELECT f.* FROM content.target_fragment f
                WHERE f.target = g.target AND f.id = g.id FOR NO KEY UPDATE) AS f
        ), written AS (
            INSERT INTO content.target_fragment AS f (
                target, id, fragment, state, last_ok_at, checked_at)
            SELECT g.target, g.id, g.name, 'ok', c.at, c.at
            FROM found g CROSS JOIN clock c WHERE (SELECT count(*) FROM held) >= 0
            ORDER BY g.target, g.id
            ON CONFLICT (target, id) DO UPDATE
            SET state = 'ok', first_broken_at = NULL, last_ok_at = EXCLUDED.last_ok_at,
                checked_at = EXCLUDED.checked_at
            RETURNING f.target, f.id, f.fragment
        )
        INSERT INTO content.target_event (target, at, before, after, fragment)
        SELECT w.target, c.at, 'missing fragment', 'ok', w.fragment
        FROM clock c CROSS JOIN written w
        JOIN held h ON h.target = w.target AND h.id = w.id AND h.state = 'missing fragment'
        """
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }
}
