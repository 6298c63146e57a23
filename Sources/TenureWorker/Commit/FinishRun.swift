import Tenure
import TenureFoundation
import TenurePostgres

/// The last statement of a commit: subjects, fence, checks, follow-ups, outcome. A row for each
/// follow-up, in their order, and one more where other jobs wait for this one's end.
struct FinishRun: PostgresStatement {
    static let sql = """
        SELECT f.ordinal, f.id, f.generation, f.result
        FROM tenure.finish($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8::jsonb) AS f
        ORDER BY f.ordinal
        """
    let run: RunRef
    let outcome: JobOutcome
    /// What it does besides.
    let also: String?
    /// The new jobs as `enqueue_jobs` takes them, or nil.
    let followUps: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.job.uuid)
        try parameters.append(run.fence.rawValue)
        try parameters.append(outcome.wanted().rawValue)
        try parameters.append(outcome.result.map { PostgresJSON($0) })
        try parameters.append(followUps.map { PostgresJSON($0) })
        try parameters.append(outcome.reason)
        try parameters.append(outcome.delay)
        try parameters.append(also.map { PostgresJSON($0) })
    }

    /// - Returns: nil for the row that says that others wait.
    static func decode(_ row: borrowing PostgresRow) throws -> EnqueuedJob? {
        try row.decode(0, as: Int32?.self) == nil ? nil : EnqueueJobs.decode(row)
    }
}
