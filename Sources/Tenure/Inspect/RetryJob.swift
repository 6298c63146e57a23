import TenureFoundation
import TenurePostgres

/// Runs a job again: a pending one now, a finished one as a new job; the two name each other. No
/// row when there is none of that id.
struct RetryJob: PostgresStatement {
    static let sql = """
        SELECT 0, r.id, r.generation, r.result
        FROM tenure.retry_job($1, $2, $3, $4, $5) AS r
        """
    let job: JobID
    let newID: JobID
    let again: Bool
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
        try parameters.append(newID.uuid)
        try parameters.append(again)
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }

    static func decode(_ row: borrowing PostgresRow) throws -> EnqueuedJob {
        try EnqueueJobs.decode(row)
    }
}
