import FoundationEssentials
import TenurePostgres

/// Cancels a batch of a run's jobs that nobody has cancelled yet, subject by subject in order.
struct CancelRunJobs: PostgresStatement {
    static let sql = """
        WITH batch AS MATERIALIZED (
            SELECT j.id FROM tenure.job j
            WHERE j.run_id = $1 AND j.ending_at IS NULL
            ORDER BY j.kind, j.key, j.id LIMIT 100
        )
        SELECT b.id FROM batch b, tenure.cancel_job(b.id, $2) AS became
        """
    let run: UUID
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run)
        try parameters.append(whom)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobID {
        JobID(try row.decode(0, as: UUID.self))
    }
}
