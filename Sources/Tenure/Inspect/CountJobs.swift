import TenurePostgres

/// How many jobs of a state, kind and queue match a filter.
public struct JobCount: Sendable {
    public let status: JobStatus
    public let kind: JobKind
    public let queue: QueueName
    public let count: Int

    package init(status: JobStatus, kind: JobKind, queue: QueueName, count: Int) {
        (self.status, self.kind, self.queue, self.count) = (status, kind, queue, count)
    }
}

extension JobCount: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "state": status, "kind": kind, "queue": queue, "count": count,
        ])
    }
}

/// Of more than a bound, as many as were found first.
struct CountJobs: PostgresStatement {
    static let sql = """
        WITH RECURSIVE \(JobSearch.tables)
        SELECT c.status, c.kind, c.queue, count(*) FROM (
            SELECT f.* FROM (
                \(JobSearch.unfinished("j.kind, j.queue", ""))
                UNION ALL
                \(JobSearch.finished("h.outcome::text, h.kind, h.queue", ""))
            ) AS f LIMIT $13::bigint
        ) AS c (status, kind, queue)
        GROUP BY c.status, c.kind, c.queue ORDER BY count(*) DESC, c.status, c.kind, c.queue
        """
    static let isPlannedForItsValues = true
    let filter: JobFilter

    /// How many jobs are counted; nil: all that match.
    var most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try filter.bind(&parameters)
        try parameters.append(most.map(JobLimits.rows))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobCount {
        JobCount(
            status: try JobStatus(text: row.decode(0)),
            kind: JobKind(try row.decode(1, as: String.self)),
            queue: QueueName(try row.decode(2, as: String.self)),
            count: Int(try row.decode(3, as: Int64.self)))
    }
}
