public import TenureFoundation
import TenurePostgres

/// What a job's runs have said last of how far they are.
public struct ReportedProgress: Sendable, Hashable {
    public let progress: JobProgress
    /// The run that said it; not the job's current one where that hasn't said anything yet.
    public let fence: Fence
    public let reportedAt: Date
}

extension ReportedProgress: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "done": progress.done, "total": progress.total, "rate": progress.rate,
            "note": progress.note, "fence": fence.rawValue, "reportedAt": reportedAt,
        ])
    }
}

/// A job's last known progress.
struct ReadProgress: PostgresStatement {
    static let sql = """
        SELECT p.done, p.total, p.rate, p.note, p.fence, p.reported_at
        FROM tenure.job_progress p WHERE p.job_id = $1 ORDER BY p.fence DESC LIMIT 1
        """
    let job: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job.uuid) }

    static func decode(_ row: borrowing PostgresRow) throws -> ReportedProgress {
        ReportedProgress(
            progress: JobProgress(
                done: try row.decode(0), total: try row.decode(1), rate: try row.decode(2),
                note: try row.decode(3)),
            fence: Fence(try row.decode(4)), reportedAt: try row.decode(5))
    }
}
