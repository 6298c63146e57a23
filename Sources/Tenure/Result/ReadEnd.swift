import TenureFoundation
import TenurePostgres

/// Where a job stands, for those who wait for its end.
enum JobStanding: Sendable {
    /// With the name of the wake-up that says its key's jobs may have been retired.
    case unfinished(keyWakeup: Wakeup?)
    case ended(JobEnd)
}

/// One snapshot: a job that ends meanwhile is either still there or in history. No row when it is
/// neither.
struct ReadEnd: PostgresStatement {
    static let sql = """
        SELECT e.id, e.kind, e.key, e.outcome, e.result, e.reason, e.superseded_by, e.last_error,
               coalesce(e.outcome = 'discarded' AND starts_with(e.reason, 'expired: '), false)
        FROM tenure.read_end($1) AS e
        """
    let job: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job.uuid) }

    static func decode(_ row: borrowing PostgresRow) throws -> JobStanding {
        let kind = JobKind(try row.decode(1, as: String.self))
        guard let outcome = try row.decode(3, as: String?.self) else {
            let key = try row.decode(2, as: String?.self)
            return .unfinished(keyWakeup: key.map { .ofKey($0, kind: kind) })
        }
        return .ended(
            JobEnd(
                job: JobID(try row.decode(0, as: UUID.self)), kind: kind,
                status: try JobStatus(text: outcome),
                result: try row.decode(4, as: PostgresJSON?.self)?.text,
                reason: try row.decode(5), lastError: try row.decode(7),
                supersededBy: try row.decode(6, as: UUID?.self).map { JobID($0) },
                isExpired: try row.decode(8)))
    }
}
