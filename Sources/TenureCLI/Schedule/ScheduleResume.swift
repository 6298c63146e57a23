import ArgumentParser
import Tenure
import TenureCoordinator

struct ScheduleResume: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let a paused schedule go on.",
        discussion: """
            With the next tick from now; those missed are not made up for. Ends with 1 when it was \
            not paused.

            Example:
              tenure schedule resume nightly
            """)

    @Argument(help: "The schedule's name.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let result: ScheduleChange.Result = try await Database.current(settings) { database in
            let schedules = Schedules(pool: database.pool, as: Whom.name)
            guard let wasPaused = try await schedules.resume(name) else {
                throw Failure.noSchedule(name)
            }
            return wasPaused ? .resumed : .wasNotPaused
        }
        try ScheduleChange(name, result).print(json: json)
    }
}
