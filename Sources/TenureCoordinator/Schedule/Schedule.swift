public import Tenure
import TenurePostgres

/// When a schedule ticks.
public enum Ticks: Hashable, Sendable {
    /// The first tick is at once, the others follow at this distance.
    case every(Duration)
    /// Five fields: minute, hour, day, month, weekday, on the wall clock of a time zone; or
    /// `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`.
    ///
    /// A time that the clock skips in spring counts as so much later: 02:30 ticks at 03:30. One
    /// that it shows twice in autumn ticks the first time only, unless the hour is `*`.
    case cron(String, zone: String)
}

/// A job enqueued at every tick, once however many coordinators run. Ticks that were missed while
/// none ran are made up for by one.
public struct Schedule: Sendable {
    public let name: String
    public let ticks: Ticks
    let job: NewJob

    /// - Parameter mode: what a tick does when the last one's job is unfinished. Without one it is
    ///   as the job's type has it; a type without a key keeps one of the schedule's name, so that
    ///   ticks don't pile up.
    /// - Parameter options: `after` counts for each tick: give a key, and not a job's id.
    /// - Throws: `TenureError` with `.invalidJob` or `.invalidConfiguration`.
    public init<J: Job>(
        _ name: String, every: Duration, _ job: J, _ mode: KeyMode? = nil,
        options: EnqueueOptions = EnqueueOptions()
    ) throws {
        try self.init(
            name, .every(every),
            NewJob(job, mode ?? J.options.key(job) ?? .keeping(Self.key(name)), options: options))
    }

    /// The same at the times of a cron expression. What can't be a zone's name is refused here;
    /// whether there is a zone of that name, the database says when the schedule is added: its list
    /// is the one that counts, and servers differ in theirs.
    public init<J: Job>(
        _ name: String, cron: String, zone: String = "UTC", _ job: J, _ mode: KeyMode? = nil,
        options: EnqueueOptions = EnqueueOptions()
    ) throws {
        try self.init(
            name, .cron(cron, zone: zone),
            NewJob(job, mode ?? J.options.key(job) ?? .keeping(Self.key(name)), options: options))
    }

    /// A schedule of a job that is made already.
    public init(_ name: String, _ ticks: Ticks, _ job: NewJob) throws {
        if let wrong = JobLimits.wrong(name: name, longest: JobLimits.longestName) {
            throw TenureError(.invalidConfiguration, "a schedule's name \(wrong)")
        }
        try ticks.checkInterval("schedule \(name) fires")
        do { try ticks.checkForm() } catch let error as TenureError {
            throw TenureError(error.code, "schedule \(name): \(error.message)")
        }
        self.name = name
        self.ticks = ticks
        self.job = job
    }

    /// The key that its jobs have unless they bring one.
    public static func key(_ name: String) -> String { "schedule:\(name)" }
}

extension Ticks {
    private static let shortest = Duration.milliseconds(100)

    /// - Parameter whose: what the error's sentence begins with.
    /// - Throws: `TenureError` with `.invalidConfiguration`.
    func checkInterval(_ whose: String) throws {
        guard case .every(let interval) = self else { return }
        guard interval >= Self.shortest, interval <= JobLimits.longestPause else {
            throw TenureError(
                .invalidConfiguration,
                "\(whose) every \(interval); give \(Self.shortest) to \(JobLimits.longestPause)")
        }
    }

    /// - Throws: `TenureError` with `.invalidConfiguration`.
    fileprivate func checkForm() throws {
        guard case .cron(let expression, let zone) = self else { return }
        _ = try CronExpression(expression)
        try CronExpression.check(zone: zone)
    }

    /// An interval, an expression, a zone: three parameters.
    func bind(_ parameters: inout PostgresParameters) throws {
        switch self {
        case .every(let interval):
            try parameters.append(Optional(interval))
            try parameters.append(String?.none)
            try parameters.append(String?.none)
        case .cron(let expression, let zone):
            try parameters.append(Duration?.none)
            try parameters.append(Optional(expression))
            try parameters.append(Optional(zone))
        }
    }
}
