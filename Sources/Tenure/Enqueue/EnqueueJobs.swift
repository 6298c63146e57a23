import FoundationEssentials
package import TenurePostgres

/// Adds jobs in the caller's transaction; a row for each, in the caller's order.
package struct EnqueueJobs: PostgresStatement {
    package static let sql = """
        SELECT e.ordinal, e.id, e.generation, e.result
        FROM tenure.enqueue_jobs($1::jsonb) AS e ORDER BY e.ordinal
        """
    let jobs: String

    package init(_ jobs: some Collection<NewJob>) { self.jobs = JobsJSON.encode(jobs) }

    package func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(PostgresJSON(jobs))
    }

    package static func decode(_ row: borrowing PostgresRow) throws -> EnqueuedJob {
        let result = try row.decode(3, as: String.self)
        guard let result = EnqueuedJob.Result(rawValue: result) else {
            throw TenureError(
                .schemaMismatch,
                "the database answered \"\(result)\" to an enqueue: it is newer than this program")
        }
        return EnqueuedJob(
            id: JobID(try row.decode(1, as: UUID.self)),
            generation: try row.decode(2, as: Int64?.self).map { Generation($0) },
            result: result)
    }
}
