import TenureFoundation
import TenurePostgres

/// A job that had not begun by its `notAfter`.
package struct ExpiredJob: Sendable {
    package let job: JobID
    package let kind: JobKind
    package let queue: QueueName
    let batch: UUID?
}

/// Discards jobs that did not begin in time, at most so many; returns them.
struct ExpireJobs: PostgresStatement {
    static let sql = """
        SELECT e.id, e.kind, e.queue, e.batch_id FROM tenure.expire_jobs($1) AS e
        """
    static let most = 500

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(Int32(Self.most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> ExpiredJob {
        ExpiredJob(
            job: JobID(try row.decode(0, as: UUID.self)),
            kind: JobKind(try row.decode(1, as: String.self)),
            queue: QueueName(try row.decode(2, as: String.self)), batch: try row.decode(3))
    }
}
