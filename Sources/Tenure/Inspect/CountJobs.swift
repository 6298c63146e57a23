import TenurePostgres

/// How many jobs of a state, kind and queue match a filter.
public struct JobCount: Sendable {
    public let status: JobStatus
    public let kind: JobKind
    public let queue: QueueName
    public let count: Int
}

extension JobCount: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "state": status, "kind": kind, "queue": queue, "count": count,
        ])
    }
}

struct CountJobs: PostgresStatement {
    static let sql = """
        SELECT c.status, c.kind, c.queue, count(*) FROM (
            SELECT j.state::text AS status, j.kind, j.queue FROM tenure.job_seen j
            WHERE (cardinality($1::text[]) = 0 OR j.state::text = ANY ($1))
              AND ($2::text IS NULL OR j.kind = $2) AND ($3::text IS NULL OR j.queue = $3)
              AND ($4::text IS NULL OR j.key = $4)
              AND ($9::uuid IS NULL OR j.batch_id = $9)
              AND ($6::interval IS NULL OR j.created_at < clock_timestamp() - $6)
              AND ($7::text IS NULL OR j.hold_reason ILIKE $7 OR EXISTS (
                  SELECT FROM tenure.attempt_error e
                  WHERE e.job_id = j.id AND (e.code ILIKE $7 OR e.message ILIKE $7)))
            UNION ALL
            SELECT h.outcome::text, h.kind, h.queue FROM tenure.job_history h
            WHERE $5 AND (cardinality($1::text[]) = 0 OR h.outcome::text = ANY ($1))
              AND (NOT $8::boolean OR h.retried_as IS NULL)
              AND ($2::text IS NULL OR h.kind = $2) AND ($3::text IS NULL OR h.queue = $3)
              AND ($4::text IS NULL OR h.key = $4)
              AND ($9::uuid IS NULL OR h.batch_id = $9)
              AND ($6::interval IS NULL OR h.created_at < clock_timestamp() - $6)
              AND ($7::text IS NULL OR h.reason ILIKE $7 OR EXISTS (
                  SELECT FROM tenure.attempt_error e
                  WHERE e.job_id = h.id AND (e.code ILIKE $7 OR e.message ILIKE $7)))
        ) AS c (status, kind, queue)
        GROUP BY c.status, c.kind, c.queue ORDER BY count(*) DESC, c.status, c.kind, c.queue
        """
    let filter: JobFilter

    func bind(_ parameters: inout PostgresParameters) throws { try filter.bind(&parameters) }

    static func decode(_ row: borrowing PostgresRow) throws -> JobCount {
        JobCount(
            status: try JobStatus(text: row.decode(0)),
            kind: JobKind(try row.decode(1, as: String.self)),
            queue: QueueName(try row.decode(2, as: String.self)),
            count: Int(try row.decode(3, as: Int64.self)))
    }
}
