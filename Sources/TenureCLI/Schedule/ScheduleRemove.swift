import ArgumentParser
import Tenure
import TenureCoordinator

struct ScheduleRemove: TenureCommand {
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

    func execute() async throws {
        let settings = try await common.settings()
        try await Database.current(settings) { database in
            let schedules = Schedules(pool: database.pool, as: Whom.name)
            guard try await schedules.remove(name) else { throw Failure.noSchedule(name) }
        }
        try ScheduleChange(name, .removed).print(json: json)
    }
}
