import ArgumentParser
import Tenure
import TenureCoordinator
import TenureFoundation

struct ScheduleAdd: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Enqueue a job at every tick of an interval or of cron.",
        discussion: """
            --cron takes minute, hour, day, month and weekday, or @hourly, @daily, @weekly, \
            @monthly, @yearly, on the wall clock of --zone. A time that the clock skips in spring \
            counts as so much later (02:30 ticks at 03:30); one that it shows twice in autumn \
            ticks the first time only, unless the hour is *. The first tick of --every is at \
            once. Ticks missed while no coordinator ran are made up for by one. Without --key a \
            tick waits for nobody but is left out while the last one's job is unfinished.

            Example:
              tenure schedule add nightly report --cron "30 2 * * mon-fri" --zone Europe/Berlin
              tenure schedule add pulse ping --every 30s --queue small --payload '{"to":"a"}'
            """)

    @Argument(help: "The schedule's name, of your choice.") var name: String
    @OptionGroup var job: EnqueueFlags
    @Option(help: "The interval, at least 100ms.", transform: JobArgument.age)
    var every: Duration?
    @Option(help: "Five fields: minute, hour, day, month, weekday.") var cron: String?
    @Option(help: "The time zone of --cron, such as Europe/Berlin. (default: UTC)")
    var zone: String?
    @Flag(help: "Change the schedule if there is one of this name.") var replace = false
    @Flag(help: "Add a kind that nobody knows.") var force = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    private static let shown = 3

    func validate() throws {
        guard (every == nil) != (cron == nil) else {
            throw ValidationError("give --every or --cron, one of them")
        }
        if zone != nil, cron == nil { throw ValidationError("--zone needs --cron") }
        if job.after != nil || job.at != nil {
            throw ValidationError("--after and --at are for single jobs; give --every or --cron")
        }
        if job.notAfter != nil {
            throw ValidationError("--not-after is for single jobs; give --expires-in")
        }
    }

    func checkInput() throws { _ = try schedule() }

    private var ticks: Ticks {
        if let every { .every(every) } else { .cron(cron ?? "", zone: zone ?? "UTC") }
    }

    private func schedule() throws -> Schedule {
        try Schedule(name, ticks, try job.newJob(orKey: Schedule.key(name)))
    }

    func report(_ database: Database) async throws -> AddedSchedule {
        let schedule = try schedule()
        if !force { try await Enqueue.check(JobKind(job.kind), database) }
        let next = try await add(
            schedule, Schedules(pool: database.pool, as: Whom.name).acting(from: .cli))
        return AddedSchedule(
            name: name, result: replace ? .set : .added, next: next, ticks: ticks)
    }

    private func add(_ schedule: Schedule, _ schedules: Schedules) async throws -> [Date] {
        do {
            guard let first = try await schedules.add(schedule, replacing: replace) else {
                throw Failure(
                    "there is a schedule \(name) already: add --replace to change it, or give "
                        + "another name")
            }
            return try await [first]
                + schedules.ticks(of: schedule.ticks, after: first, count: Self.shown - 1)
        } catch let error as PostgresError where error.sqlState == "TN003" {
            throw Failure(error.message + (error.hint.map { "; \($0)" } ?? ""))
        }
    }
}

struct AddedSchedule: Report {
    enum Result: String, Encodable { case added, set }

    let name: String
    let result: Result
    let next: [Date]
    let ticks: Ticks

    func encode(to encoder: any Encoder) throws {
        try encoder.write(["name": name, "result": result, "next": next])
    }

    var text: String {
        let now = Date()
        let times = next.map { $0 <= now ? "now" : TimeText.full($0, now: now) }
            .joined(separator: ", ")
        return PlainText.line("\(result.rawValue) \(name): \(TicksText.format(ticks))")
            + "\nnext ticks: \(times)"
    }
}
