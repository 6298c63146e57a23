import ArgumentParser
import FoundationEssentials
import Tenure
import TenureCoordinator

struct ScheduleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "List, add, remove, pause and resume schedules.",
        discussion: """
            A schedule enqueues a job at every tick, once however many coordinators run; without \
            one none fires.

            Example:
              tenure schedule add nightly report --cron "30 2 * * mon-fri" --zone Europe/Berlin
              tenure schedule list
            """,
        subcommands: [
            ScheduleList.self, ScheduleAdd.self, ScheduleRemove.self, SchedulePause.self,
            ScheduleResume.self,
        ])
}

struct ScheduleList: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the schedules and when they tick.",
        discussion: """
            Times are UTC. late: its tick is past, and no coordinator has fired it.

            Example:
              tenure schedule list --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let schedules = try await Database.current(settings) {
            try await Schedules(pool: $0.pool, as: Whom.name).list()
        }
        if json { return Terminal.output(try JSONText.encode(schedules.map(ScheduleOutput.init))) }
        if schedules.isEmpty {
            return Terminal.line("no schedules; add one with: tenure schedule add")
        }
        var table = Table("schedule", "ticks", "kind", "queue", "state", "next", "last", "fired")
        for schedule in schedules {
            table.add(
                schedule.name, TicksText.format(schedule.ticks), schedule.kind.rawValue,
                schedule.queue.rawValue, Self.state(schedule),
                schedule.pausedAt == nil ? TimeText.full(schedule.nextAt) : nil,
                schedule.firedAt.map { TimeText.relative($0) }, String(schedule.fired))
        }
        Terminal.output(table.text)
    }

    /// A coordinator looks every second.
    private static func state(_ schedule: ScheduleStatus) -> String {
        if schedule.pausedAt != nil { return "paused by \(schedule.pausedBy ?? "someone")" }
        return schedule.nextAt.timeIntervalSinceNow < -10 ? "late" : "on"
    }
}

enum TicksText {
    static func format(_ ticks: Ticks) -> String {
        switch ticks {
        case .every(let interval): "every \(DurationText.format(interval))"
        case .cron(let expression, let zone): "\(expression) (\(zone))"
        }
    }
}

/// A schedule for programs.
struct ScheduleOutput: Encodable {
    let name: String
    @OrNull var everySeconds: Double?
    @OrNull var cron: String?
    @OrNull var zone: String?
    let kind: String
    let queue: String
    let nextAt: Date
    @OrNull var firedAt: Date?
    let fired: Int
    let paused: Bool
    @OrNull var pausedAt: Date?
    @OrNull var pausedBy: String?

    init(_ schedule: ScheduleStatus) {
        name = schedule.name
        switch schedule.ticks {
        case .every(let interval): everySeconds = interval / .seconds(1)
        case .cron(let expression, let zone):
            cron = expression
            self.zone = zone
        }
        kind = schedule.kind.rawValue
        queue = schedule.queue.rawValue
        nextAt = schedule.nextAt
        firedAt = schedule.firedAt
        fired = schedule.fired
        paused = schedule.pausedAt != nil
        pausedAt = schedule.pausedAt
        pausedBy = schedule.pausedBy
    }
}
