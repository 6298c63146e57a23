import Tenure
import TenureFoundation

/// Notes that nothing of a check is left to do.
struct FinishCheck: PostgresStatement {
    static let sql = """
        UPDATE content.site_check SET finished_at = coalesce(finished_at, content.now())
        WHERE id = $1
        """
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }
}

/// Notes that a check was cancelled.
struct CancelCheck: PostgresStatement {
    static let sql = """
        UPDATE content.site_check SET cancelled_at = coalesce(cancelled_at, content.now())
        WHERE id = $1
        """
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }
}
