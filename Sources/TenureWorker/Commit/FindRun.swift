import FoundationEssentials
import Tenure
import TenurePostgres

/// What a run's own rows say of its commit, after a crash.
struct FindRun: PostgresStatement {
    static let sql = """
        SELECT CASE
            WHEN EXISTS (SELECT FROM tenure.job j WHERE j.id = $1 AND j.fence = $2) THEN 'held'
            WHEN EXISTS (SELECT FROM tenure.job_history h
                         WHERE h.id = $1 AND h.fence = $2
                           AND h.outcome IN ('completed', 'discarded')) THEN 'ended'
            WHEN EXISTS (SELECT FROM tenure.job j WHERE j.id = $1)
                OR EXISTS (SELECT FROM tenure.job_history h WHERE h.id = $1) THEN 'gone'
            ELSE 'unkept' END
        """
    let run: RunRef

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.job.uuid)
        try parameters.append(run.fence.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> RunRows {
        RunRows(rawValue: try row.decode(0, as: String.self)) ?? .unkept
    }
}
