import Tenure
import Web

/// Remembers that targets are well, and an event for each that wasn't before. What
/// `TargetHistory` decides for them needs no look at what was.
struct ConfirmTargets: PostgresStatement {
    static let sql = """
        WITH seen AS MATERIALIZED (
            SELECT t.id, t.before, u.status FROM (
                SELECT content.digest(p.href) AS id, p.status
                FROM unnest($1::text[], $2::int4[]) AS p (href, status) ORDER BY 1) AS u
            CROSS JOIN LATERAL (
                SELECT t.id, t.state AS before FROM content.target t
                WHERE t.id = u.id FOR NO KEY UPDATE) AS t
        ), change AS (
            INSERT INTO content.target_event (target, before, after)
            SELECT s.id, s.before, 'ok' FROM seen s WHERE s.before <> 'ok'
        )
        UPDATE content.target t
        SET state = 'ok', code = NULL, status = s.status, failures = 0, first_broken_at = NULL,
            last_ok_at = content.now(), next_href = NULL, checked_at = content.now(),
            changed_at = CASE WHEN s.before = 'ok' THEN t.changed_at ELSE content.now() END
        FROM seen s WHERE t.id = s.id AND t.id = ANY (array(SELECT o.id FROM seen o))
        """
    let pages: [BatchNews.Page]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(pages.map(\.url.href))
        try parameters.append(pages.map { $0.status.map { Int32(clamping: $0) } })
    }
}
