import FoundationEssentials
import Tenure

/// Notes that nothing of a run is left to do.
struct FinishCheck: PostgresStatement {
    static let sql = """
        UPDATE content.check_run SET finished_at = coalesce(finished_at, content.now())
        WHERE id = $1
        """
    let run: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(run) }
}

/// Notes that a run was cancelled.
struct CancelCheck: PostgresStatement {
    static let sql = """
        UPDATE content.check_run SET cancelled_at = coalesce(cancelled_at, content.now())
        WHERE id = $1
        """
    let run: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(run) }
}
