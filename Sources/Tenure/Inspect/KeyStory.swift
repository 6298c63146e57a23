import TenureFoundation
import TenurePostgres

/// What is known of a key: its numbers and its jobs, unfinished and finished.
public struct KeyStory: Sendable {
    /// Nil when the key is idle for so long that it was forgotten.
    public internal(set) var subject: JobSubject?
    /// The newest generation first.
    public internal(set) var jobs: [KeyJob] = []
}

/// A job of a key.
public struct KeyJob: Sendable {
    public let summary: JobSummary
    public let runs: Int
    public let worker: String?
    public let reason: String?
    public let supersededBy: JobID?
}

extension KeyJob: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "job": summary, "runs": runs, "worker": worker, "reason": reason,
            "supersededBy": supersededBy,
        ])
    }
}

struct ReadSubject: PostgresStatement {
    static let sql = "SELECT s.issued, s.floor, s.committed FROM tenure.subject_of($1, $2) AS s"
    let kind: JobKind
    let key: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kind.rawValue)
        try parameters.append(key)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobSubject {
        JobSubject(
            issued: Generation(try row.decode(0)), floor: Generation(try row.decode(1)),
            committed: Generation(try row.decode(2)))
    }
}

/// The jobs of a key, the newest generation first. In history they are found by filters of many
/// pages each, which the coordinator makes: a keyed job's end would pay for an index by the row.
struct ListKeyJobs: PostgresStatement {
    static let sql = """
        WITH story AS (
            SELECT j.id, CASE WHEN j.state = 'running' AND NOT tenure.has_begun(
                       j.session_id, j.queue, j.fence) THEN 'claimed'
                        ELSE j.state::text END AS status,
                   j.ending_at IS NOT NULL AS cancelling, j.kind,
                   j.queue, j.key, j.generation, j.priority, j.attempt, j.max_attempts, j.run_at,
                   j.created_at, j.claimed_at, NULL::timestamptz AS finished_at, j.runs,
                   j.session_id, coalesce(j.ending_by, j.hold_reason) AS reason,
                   NULL::uuid AS superseded_by, j.not_after, NULL::uuid AS retried_as
            FROM tenure.job j WHERE j.kind = $1 AND j.key = $2
            UNION ALL
            SELECT h.id, h.outcome::text, false, h.kind, h.queue, h.key, h.generation, h.priority,
                   h.attempt, h.max_attempts, h.run_at, h.created_at, h.claimed_at, h.finished_at,
                   h.runs, h.session_id, h.reason, h.superseded_by,
                   NULL::timestamptz, h.retried_as
            FROM tenure.past_of_key($1, $2) AS h
        )
        SELECT s.id, s.status, s.cancelling, s.kind, s.queue, s.key, s.generation, s.priority,
               s.attempt, s.max_attempts, s.run_at, s.created_at, s.claimed_at, s.finished_at,
               s.not_after, s.runs, w.name, s.reason, s.superseded_by, s.retried_as
        FROM story s LEFT JOIN tenure.session w ON w.id = s.session_id
        WHERE $4::bigint IS NULL OR s.generation < $4
        ORDER BY s.generation DESC LIMIT $3
        """
    let kind: JobKind
    let key: String
    let limit: Int
    /// Only those before it.
    var before: Int64?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kind.rawValue)
        try parameters.append(key)
        try parameters.append(JobLimits.rows(limit))
        try parameters.append(before)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> KeyJob {
        KeyJob(
            summary: try ListJobs.summary(row, retriedAs: 19),
            runs: Int(try row.decode(15, as: Int32.self)),
            worker: try row.decode(16), reason: try row.decode(17),
            supersededBy: try row.decode(18, as: UUID?.self).map { JobID($0) })
    }
}
