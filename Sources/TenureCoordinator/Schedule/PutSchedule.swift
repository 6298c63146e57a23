public import Tenure
import TenurePostgres

/// A job enqueued at every tick of an interval, once however many coordinators run.
public struct Schedule: Sendable {
    public let name: String
    public let every: Duration
    let job: NewJob

    /// - Parameter mode: what a tick does when the last one's job is unfinished; a key of the
    ///   schedule's name is kept unless said otherwise, so that ticks don't pile up.
    /// - Throws: `TenureError` with `.invalidJob` or `.invalidConfiguration`.
    public init<J: Job>(
        _ name: String, every: Duration, _ job: J, _ mode: KeyMode? = nil,
        options: EnqueueOptions = EnqueueOptions()
    ) throws {
        guard every >= .milliseconds(100) else {
            throw TenureError(
                .invalidConfiguration,
                "schedule \(name) fires every \(every); give at least 0.1 seconds")
        }
        self.name = name
        self.every = every
        self.job = try NewJob(job, mode ?? .keeping("schedule:\(name)"), options: options)
    }
}

/// Adds a schedule, or changes what an existing one enqueues and how often.
struct PutSchedule: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.schedule AS s (name, every, job)
        VALUES ($1, $2, ($3::jsonb -> 0) - 'id')
        ON CONFLICT (name) DO UPDATE
        SET every = EXCLUDED.every, job = EXCLUDED.job,
            next_at = least(s.next_at, clock_timestamp() + EXCLUDED.every)
        """
    let schedule: Schedule

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(schedule.name)
        try parameters.append(schedule.every)
        try parameters.append(PostgresJSON(NewJob.json(of: [schedule.job])))
    }
}
