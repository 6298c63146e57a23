import Tenure
import TenurePostgres

/// Moves all that lies ahead, of jobs that don't run, by some time towards now.
struct PassTime: PostgresStatement {
    static let sql = """
        WITH jobs AS (
            UPDATE tenure.job j SET run_at = j.run_at - $1, not_after = j.not_after - $1
            WHERE j.state <> 'running' RETURNING j.id
        ), waits AS (
            UPDATE tenure.job_wait w SET until = w.until - $1
        ), lanes AS (
            UPDATE tenure.lane_holders h SET next_at = h.next_at - $1, turn_at = h.turn_at - $1
        ), holds AS (
            UPDATE tenure.lane_hold o SET until = o.until - $1
        ), calls AS (
            UPDATE tenure.lane_call c SET at = c.at - $1
        )
        SELECT count(*) FROM jobs
        """
    let time: Duration

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(time) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}
