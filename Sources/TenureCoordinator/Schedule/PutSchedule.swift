import Tenure
import TenureFoundation
import TenurePostgres

/// Adds a schedule, or changes what an existing one enqueues and when. Returns the next tick; nil
/// when there is one of its name and it may not be replaced.
struct PutSchedule: PostgresStatement {
    static let sql = """
        SELECT tenure.put_schedule($1, $2, $3, $4, $5::jsonb -> 0, $6, $7, $8)
        """
    let schedule: Schedule
    var replacing = true
    /// Nil: it is no act of anybody's.
    var doer: Doer?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(schedule.name)
        try schedule.ticks.bind(&parameters)
        try parameters.append(PostgresJSON(NewJob.json(of: [schedule.job])))
        try parameters.append(replacing)
        try parameters.append(whom: doer?.whom)
        try parameters.append(note: doer?.note())
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Date? {
        try row.decode(0, as: Date?.self)
    }
}
