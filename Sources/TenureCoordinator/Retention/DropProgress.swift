import Tenure
import TenurePostgres

/// Forgets how far jobs were that history has forgotten, too.
struct DropProgress: PostgresStatement {
    static let sql = """
        DELETE FROM tenure.job_progress p
        WHERE p.reported_at < clock_timestamp() - $1::interval
          AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = p.job_id)
        """
    let kept: Duration

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(kept) }
}
