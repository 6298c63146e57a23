import Tenure
import TenureFoundation

/// For how long a check has got nothing of its site: since a page was visited last, or its start.
struct ReadStandstill: PostgresStatement {
    static let sql = """
        SELECT content.now() - greatest(r.started_at, max(v.checked_at))
        FROM content.site_check r
        LEFT JOIN content.check_target v
               ON v.check_id = r.id AND v.mode = 'page' AND v.state NOT IN ('unchecked', 'blocked')
        WHERE r.id = $1
        GROUP BY r.started_at
        """
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }

    static func decode(_ row: borrowing PostgresRow) throws -> Duration { try row.decode(0) }
}
