// docs/decisions/schedules.md

import Tenure
import TenureFoundation
import TenurePostgres

/// A schedule that fell due, and what became of this tick.
struct FiredSchedule: Sendable {
    enum Tick: Sendable {
        /// The job that stands for it.
        case job(JobID, in: QueueName)
        /// None: why. The schedule is due again in a minute at the latest.
        case refused(String)
    }

    let schedule: String
    let tick: Tick
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
        guard let job = try row.decode(1, as: UUID?.self) else {
            return FiredSchedule(
                schedule: try row.decode(0), tick: .refused(try row.decode(2)))
        }
        let queue = QueueName(try row.decode(3, as: String.self))
        return FiredSchedule(schedule: try row.decode(0), tick: .job(JobID(job), in: queue))
    }
}
