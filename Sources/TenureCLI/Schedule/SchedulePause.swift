import ArgumentParser
import Tenure
import TenureCoordinator

struct SchedulePause: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Let a schedule tick no more until it is resumed.",
        discussion: """
            Lasts over all restarts.

            Example:
              tenure schedule pause nightly
            """)

    @Argument(help: "The schedule's name.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        try await Database.current(settings) { database in
            let schedules = Schedules(pool: database.pool, as: Whom.name)
            guard try await schedules.pause(name) else { throw Failure.noSchedule(name) }
        }
        try ScheduleChange(name, .paused).print(json: json)
    }
}
