import ArgumentParser
import Tenure

struct LaneShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a lane's limits, jobs and hold.",
        discussion: """
            Example:
              tenure lane show tenant:42 --queue mail
            """)

    @Argument(help: "The lane's name.") var lane: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: LaneQueue
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> LaneStatus {
        try await queue.lanes(database).known(lane, in: queue.queue)
    }
}
