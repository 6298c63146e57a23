import Tenure
import TenureFoundation
import TenurePostgres

/// What a run's own rows say of its end. A reclaim leaves its error, whatever the job became by it;
/// one that knew of no beginning leaves no time of the claim.
struct FindRun: PostgresStatement {
    static let sql = """
        SELECT CASE
            WHEN EXISTS (SELECT FROM tenure.job_seen j WHERE j.id = $1 AND j.fence = $2)
                THEN 'held'
            WHEN EXISTS (SELECT FROM tenure.attempt_error e
                         WHERE e.job_id = $1 AND e.fence = $2 AND e.code = 'worker_died')
                OR EXISTS (SELECT FROM tenure.job_history h
                           WHERE h.id = $1 AND h.fence = $2 AND h.claimed_at IS NULL)
                THEN 'reclaimed'
            WHEN past.outcome IS NOT NULL THEN 'ended'
            WHEN EXISTS (SELECT FROM tenure.job j WHERE j.id = $1)
                OR EXISTS (SELECT FROM tenure.job_history h WHERE h.id = $1) THEN 'put back'
            ELSE 'unkept' END,
            coalesce(past.outcome::text, (
                SELECT j.state::text FROM tenure.job_seen j
                WHERE j.id = $1 AND j.fence IS NULL))
        FROM (SELECT (SELECT h.outcome FROM tenure.job_history h
                      WHERE h.id = $1 AND h.fence = $2 LIMIT 1)) AS past (outcome)
        """
    let run: RunRef

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.job.uuid)
        try parameters.append(run.fence.rawValue)
    }

    private enum Tag: String {
        case held, reclaimed, ended
        case putBack = "put back"
        case unkept
    }

    static func decode(_ row: borrowing PostgresRow) throws -> RunRows {
        let became = try row.decode(1, as: String?.self).map { RunOutcome(text: $0) }
        return switch try Tag(answer: row.decode(0), to: "a look for a run") {
        case .held: .held
        case .reclaimed: .reclaimed
        case .ended: .ended(as: became ?? .job(.completed))
        case .putBack: .putBack(as: became ?? .job(.available))
        case .unkept: .unkept
        }
    }
}
