import FoundationEssentials
import TenurePostgres

/// The rows of jobs that went alone and whose answer was lost, once that is over: with their
/// generations, which nobody has heard of yet.
struct FindJobs: PostgresStatement {
    static let sql = """
        SELECT j.id, j.generation FROM tenure.job j WHERE j.id = ANY ($1::uuid[])
        UNION ALL
        SELECT h.id, h.generation FROM tenure.job_history h WHERE h.id = ANY ($1::uuid[])
        """
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
