import ArgumentParser
import Tenure
import TenureCoordinator

struct ScheduleRemove: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a schedule.",
        discussion: """
            Jobs that it has enqueued go on. A schedule of the product itself comes back when a \
            coordinator starts: pause it instead.

            Example:
              tenure schedule remove nightly
            """)

    @Argument(help: "The schedule's name.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> Change {
        let schedules = Schedules(pool: database.pool, as: Whom.name).acting(from: .cli)
        guard try await schedules.remove(name) else { throw Failure.noSchedule(name) }
        return Change(noun: PausableSchedule.noun, name: name, result: .removed)
    }
}
