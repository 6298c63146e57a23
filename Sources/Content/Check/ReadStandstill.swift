import FoundationEssentials
import Tenure

/// For how long a run has got nothing of its site: since a page was visited last, or its start.
struct ReadStandstill: PostgresStatement {
    static let sql = """
        SELECT content.now() - greatest(r.started_at, max(v.checked_at))
        FROM content.check_run r
        LEFT JOIN content.run_target v
               ON v.run = r.id AND v.mode = 'page' AND v.state NOT IN ('unchecked', 'blocked')
        WHERE r.id = $1
        GROUP BY r.started_at
        """
    let run: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(run) }

    static func decode(_ row: borrowing PostgresRow) throws -> Duration { try row.decode(0) }
}
