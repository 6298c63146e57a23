import TenureFoundation
import TenurePostgres

/// The rows of jobs that went alone and whose answer was lost, once that is over: with their
/// generations, which nobody has heard of yet.
struct FindJobs: PostgresStatement {
    static let sql = "SELECT f.id, f.generation FROM tenure.find_jobs($1) AS f"
    let jobs: [NewJob]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(jobs.map(\.id.uuid))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> EnqueuedJob {
        EnqueuedJob(
            id: JobID(try row.decode(0, as: UUID.self)),
            generation: try row.decode(1, as: Int64?.self).map { Generation($0) },
            result: .enqueued)
    }
}
