public import TenureFoundation
import TenurePostgres

/// A job, as far as a list shows it.
public struct JobSummary: Sendable {
    public let id: JobID
    public let status: JobStatus
    /// It has the status `running`, and its handler has not begun: it waits for a slot of the
    /// worker that has claimed it.
    public let isOnlyClaimed: Bool
    /// An operator cancelled it, and its run has not let go yet.
    public let isCancelling: Bool
    public let kind: JobKind
    public let queue: QueueName
    public let key: String?
    public let generation: Generation?
    public let priority: Int16
    public let attempt: Int
    public let maxAttempts: Int
    public let runAt: Date
    public let createdAt: Date
    public let claimedAt: Date?
    public let finishedAt: Date?
    /// No run begins then or later; nil: it doesn't expire, or is finished.
    public let notAfter: Date?
    /// The job as which an operator ran it again, the last time.
    public internal(set) var retriedAs: JobID?
}

extension JobSummary: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "id": id, "kind": kind, "state": status, "cancelling": isCancelling,
            "onlyClaimed": isOnlyClaimed, "queue": queue, "key": key,
            "generation": generation?.rawValue, "priority": priority, "attempt": attempt,
            "maxAttempts": maxAttempts, "runAt": runAt, "createdAt": createdAt,
            "claimedAt": claimedAt, "finishedAt": finishedAt, "notAfter": notAfter,
            "retriedAs": retriedAs,
        ])
    }
}

/// The newest jobs first; ids are in the order of their making.
struct ListJobs: PostgresStatement {
    static let sql = """
        WITH unfinished AS MATERIALIZED (
            SELECT j.id, CASE WHEN j.state = 'running' AND NOT tenure.has_begun(
                       j.session_id, j.queue, j.fence) THEN 'claimed'
                        ELSE j.state::text END AS status,
                   j.ending_at IS NOT NULL AS cancelling, j.kind,
                   j.queue, j.key, j.generation, j.priority, j.attempt, j.max_attempts, j.run_at,
                   j.created_at, j.claimed_at, NULL::timestamptz AS finished_at, j.not_after,
                   NULL::uuid AS retried_as
            FROM tenure.job_seen j
            WHERE (cardinality($1::text[]) = 0 OR j.state::text = ANY ($1))
              AND ($2::text IS NULL OR j.kind = $2) AND ($3::text IS NULL OR j.queue = $3)
              AND ($4::text IS NULL OR j.key = $4)
              AND ($9::uuid IS NULL OR j.batch_id = $9)
              AND ($6::interval IS NULL OR j.created_at < clock_timestamp() - $6)
              AND ($7::text IS NULL OR j.hold_reason ILIKE $7 OR EXISTS (
                  SELECT FROM tenure.attempt_error e
                  WHERE e.job_id = j.id AND (e.code ILIKE $7 OR e.message ILIKE $7)))
              AND j.id < coalesce($10::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            ORDER BY j.id DESC LIMIT $11
        ), finished AS MATERIALIZED (
            SELECT h.id, h.outcome::text AS status, false AS cancelling, h.kind, h.queue, h.key,
                   h.generation, h.priority, h.attempt, h.max_attempts, h.run_at, h.created_at,
                   h.claimed_at, h.finished_at, NULL::timestamptz AS not_after, h.retried_as
            FROM tenure.job_history h
            WHERE $5 AND (cardinality($1::text[]) = 0 OR h.outcome::text = ANY ($1))
              AND (NOT $8::boolean OR h.retried_as IS NULL)
              AND ($2::text IS NULL OR h.kind = $2) AND ($3::text IS NULL OR h.queue = $3)
              AND ($4::text IS NULL OR h.key = $4)
              AND ($9::uuid IS NULL OR h.batch_id = $9)
              AND ($6::interval IS NULL OR h.created_at < clock_timestamp() - $6)
              AND ($7::text IS NULL OR h.reason ILIKE $7 OR EXISTS (
                  SELECT FROM tenure.attempt_error e
                  WHERE e.job_id = h.id AND (e.code ILIKE $7 OR e.message ILIKE $7)))
              AND h.id < coalesce($10::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            ORDER BY h.id DESC LIMIT $11
        )
        SELECT l.id, l.status, l.cancelling, l.kind, l.queue, l.key, l.generation, l.priority,
               l.attempt, l.max_attempts, l.run_at, l.created_at, l.claimed_at, l.finished_at,
               l.not_after, l.retried_as
        FROM (SELECT u.* FROM unfinished u UNION ALL SELECT f.* FROM finished f) AS l
        ORDER BY l.id DESC LIMIT $11
        """
    let filter: JobFilter

    func bind(_ parameters: inout PostgresParameters) throws {
        try filter.bind(&parameters)
        try parameters.append(filter.before?.uuid)
        try parameters.append(JobLimits.rows(filter.limit))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobSummary {
        try summary(row, retriedAs: 15)
    }

    /// A running job whose handler has not begun has a status of its own in statements.
    private enum Unbegun: String { case claimed }

    /// - Parameter retriedAs: where that column stands, behind all others.
    static func summary(
        _ row: borrowing PostgresRow, retriedAs: Int
    ) throws -> JobSummary {
        let status = try row.decode(1, as: String.self)
        let isOnlyClaimed = Unbegun(rawValue: status) != nil
        return JobSummary(
            id: JobID(try row.decode(0, as: UUID.self)),
            status: isOnlyClaimed ? .running : try JobStatus(text: status),
            isOnlyClaimed: isOnlyClaimed, isCancelling: try row.decode(2),
            kind: JobKind(try row.decode(3, as: String.self)),
            queue: QueueName(try row.decode(4, as: String.self)), key: try row.decode(5),
            generation: try row.decode(6, as: Int64?.self).map { Generation($0) },
            priority: try row.decode(7), attempt: Int(try row.decode(8, as: Int32.self)),
            maxAttempts: Int(try row.decode(9, as: Int32.self)), runAt: try row.decode(10),
            createdAt: try row.decode(11), claimedAt: try row.decode(12),
            finishedAt: try row.decode(13), notAfter: try row.decode(14),
            retriedAs: try row.decode(retriedAs, as: UUID?.self).map { JobID($0) })
    }
}
