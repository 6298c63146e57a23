import Tenure
import TenurePostgres

/// Holds a run's right until the end of the transaction, for writes that don't end the job, and
/// keeps what it has logged. A row for each follow-up, in their order.
struct HoldRun: PostgresStatement {
    static let sql = """
        SELECT h.ordinal, h.id, h.generation, h.result
        FROM tenure.hold_run($1, $2, $3::jsonb, $4::jsonb) AS h ORDER BY h.ordinal
        """
    let run: RunRef
    /// The new jobs as `enqueue_jobs` takes them, or nil.
    let followUps: String?
    /// The last lines that it has logged, or nil.
    let log: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.job.uuid)
        try parameters.append(run.fence.rawValue)
        try parameters.append(followUps.map { PostgresJSON($0) })
        try parameters.append(log.map { PostgresJSON($0) })
    }

    static func decode(_ row: borrowing PostgresRow) throws -> EnqueuedJob {
        try EnqueueJobs.decode(row)
    }
}
