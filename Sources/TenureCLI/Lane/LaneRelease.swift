import ArgumentParser
import Tenure

struct LaneRelease: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Let a lane on hold start its jobs again.",
        discussion: """
            Also one that a job has put on hold. Ends with 1 when it was not on hold.

            Example:
              tenure lane release tenant:42 --queue mail
            """)

    @Argument(help: "The lane's name.") var lane: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: LaneQueue
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> Change {
        let wasHeld = try await queue.lanes(database).release(lane, by: Whom.name)
        return Change(noun: "lane", name: lane, result: wasHeld ? .released : .wasNotOnHold)
    }
}
