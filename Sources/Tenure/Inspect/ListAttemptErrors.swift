import TenureFoundation
import TenurePostgres

/// The failed attempts of a job, in their order.
struct ListAttemptErrors: PostgresStatement {
    static let sql = """
        SELECT e.attempt, e.failed_at, e.fence, e.session_id, e.code, e.message, s.name
        FROM tenure.attempt_error e LEFT JOIN tenure.session s ON s.id = e.session_id
        WHERE e.job_id = $1 ORDER BY e.fence
        """
    let job: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job.uuid) }

    static func decode(_ row: borrowing PostgresRow) throws -> JobAttemptError {
        JobAttemptError(
            attempt: Int(try row.decode(0, as: Int32.self)), failedAt: try row.decode(1),
            fence: Fence(try row.decode(2)),
            session: try row.decode(3, as: Int64?.self).map { SessionID($0) },
            worker: try row.decode(6), code: try row.decode(4), message: try row.decode(5))
    }
}
