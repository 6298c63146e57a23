import FoundationEssentials
import TenurePostgres

/// The jobs that one repeats, as far as history knows: an operator has run each of them again. A
/// row for each, the newest first, with whether history has forgotten what it was.
package struct ReadOrigins: PostgresStatement {
    package static let sql = """
        WITH RECURSIVE origin AS (
            SELECT j.retry_of AS id, 1 AS turn FROM tenure.job j
            WHERE j.id = $1 AND j.retry_of IS NOT NULL
            UNION ALL
            SELECT h.retry_of, o.turn + 1 FROM origin o
            JOIN tenure.job_history h ON h.id = o.id
            WHERE h.retry_of IS NOT NULL AND o.turn < 1000
        )
        SELECT DISTINCT o.id, NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = o.id)
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
