import FoundationEssentials
import Tenure
import TenurePostgres

/// A schedule that fell due, and the job that stands for this tick.
struct FiredSchedule: Sendable {
    let schedule: String
    let job: JobID
    let result: String
    let queue: QueueName
}

/// Enqueues what is due. Exactly once per tick, however many coordinators call it: the
/// schedule's row moves on in the transaction that enqueues.
struct FireSchedules: PostgresStatement {
    static let sql = """
        SELECT f.schedule, f.job_id, f.result, f.queue FROM tenure.fire_schedules($1) AS f
        """
    static let most = 100

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(Int32(Self.most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> FiredSchedule {
        FiredSchedule(
            schedule: try row.decode(0), job: JobID(try row.decode(1, as: UUID.self)),
            result: try row.decode(2), queue: QueueName(try row.decode(3, as: String.self)))
    }
}
