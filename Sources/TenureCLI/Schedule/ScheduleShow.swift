import ArgumentParser
import Tenure
import TenureCoordinator
import TenureFoundation

struct ScheduleShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one schedule: its next ticks, and what it enqueues.",
        discussion: """
            Times are UTC; a paused one has none. The payload is not shown: it may hold what its \
            kind keeps secret.

            Example:
              tenure schedule show nightly
            """)

    @Argument(help: "The schedule's name.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    private static let shown = 5

    func report(_ database: Database) async throws -> ScheduleReport {
        let schedules = Schedules(pool: database.pool, as: Whom.name)
        guard let schedule = try await schedules.status(of: name) else {
            throw Failure.noSchedule(name)
        }
        if schedule.pausedAt != nil { return ScheduleReport(schedule: schedule, next: []) }
        do {
            let next = try await schedules.nextTicks(of: schedule, count: Self.shown)
            return ScheduleReport(schedule: schedule, next: next)
        } catch let error as PostgresError where error.sqlState != nil {
            return ScheduleReport(schedule: schedule, next: [], problem: error.message)
        }
    }
}

/// A schedule in full.
struct ScheduleReport: Report {
    let schedule: ScheduleStatus
    /// None while it is paused, or its times can't be told.
    let next: [Date]
    /// Why.
    @OrNull var problem: String?

    var text: String {
        var sheet = Sheet()
        sheet.add("schedule", schedule.name)
        sheet.add("ticks", TicksText.format(schedule.ticks))
        sheet.add("state", schedule.state)
        sheet.add("can't fire", problem)
        sheet.add("kind", schedule.kind.rawValue)
        sheet.add("queue", schedule.queue.rawValue)
        sheet.add("declared by", schedule.owner)
        for (index, moment) in next.enumerated() {
            sheet.add(
                index == 0 ? "next" : "then",
                moment <= Date() ? "now" : TimeText.full(moment))
        }
        sheet.add("last", schedule.firedAt.map { TimeText.full($0) } ?? "never")
        sheet.add("fired", String(schedule.fired))
        return sheet.text
    }
}
