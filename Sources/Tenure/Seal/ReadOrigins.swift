import TenureFoundation
import TenurePostgres

/// A job and those that it repeats, as far as anybody knows: an operator has run each of them
/// again. A row for each, with whether history has forgotten what it was.
package struct ReadOrigins: PostgresStatement {
    package static let sql = """
        WITH RECURSIVE origin AS (
            SELECT $1::uuid AS id, 0 AS turn
            UNION
            SELECT p.retry_of, o.turn + 1 FROM origin o CROSS JOIN LATERAL (
                SELECT j.retry_of FROM tenure.job j WHERE j.id = o.id
                UNION ALL
                SELECT h.retry_of FROM tenure.job_history h WHERE h.id = o.id) AS p
            WHERE p.retry_of IS NOT NULL AND o.turn < 1000
        )
        SELECT DISTINCT o.id, NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = o.id)
            AND NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = o.id)
        FROM origin o
        """
    let job: JobID

    package init(of job: JobID) { self.job = job }

    package func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
    }

    package static func decode(
        _ row: borrowing PostgresRow
    ) throws -> (job: JobID, isForgotten: Bool) {
        (JobID(try row.decode(0, as: UUID.self)), try row.decode(1))
    }
}
