import ArgumentParser
import Tenure
import TenureCoordinator
import TenureFoundation

struct ScheduleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "List, show, add, trigger, remove, pause and resume schedules.",
        discussion: """
            A schedule enqueues a job at every tick, once however many coordinators run; without \
            one none fires.

            Example:
              tenure schedule add nightly report --cron "30 2 * * mon-fri" --zone Europe/Berlin
              tenure schedule list
            """,
        subcommands: [
            ScheduleList.self, ScheduleShow.self, ScheduleAdd.self, ScheduleTrigger.self,
            ScheduleRemove.self,
            Pause<PausableSchedule>.self, Resume<PausableSchedule>.self,
        ])
}

struct ScheduleList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the schedules and when they tick.",
        discussion: """
            Times are UTC. late: its tick is past, and no coordinator has fired it.

            Example:
              tenure schedule list --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> Listing<ScheduleStatus> {
        Listing(
            try await Schedules(pool: database.pool, as: Whom.name).list(),
            none: "no schedules; add one with: tenure schedule add")
    }
}

extension ScheduleStatus: TableRow {
    static let titles = ["schedule", "ticks", "kind", "queue", "state", "next", "last", "fired"]

    var cells: [String?] {
        [
            name, TicksText.format(ticks), kind.rawValue, queue.rawValue, state,
            pausedAt == nil ? TimeText.full(nextAt) : nil, firedAt.map { TimeText.relative($0) },
            "\(fired)",
        ]
    }

    /// A coordinator looks every second.
    var state: String {
        if pausedAt != nil { return "paused by \(pausedBy ?? "someone")" }
        return nextAt.timeIntervalSinceNow < -10 ? "late" : "on"
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

extension Failure {
    static func noSchedule(_ name: String) -> Failure {
        Failure("there is no schedule \"\(name)\"; look with: tenure schedule list")
    }
}
