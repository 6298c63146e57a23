import ArgumentParser
import Tenure

struct LaneSet: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set how many of a lane's jobs run, and how far apart.",
        discussion: """
            What is set stays, whatever jobs bring along, and counts from now on; those that run \
            go on.

            Example:
              tenure lane set tenant:42 --queue mail --max-running 2 --min-interval 1s
            """)

    @Argument(help: "The lane's name.") var lane: String
    @OptionGroup var limits: LaneLimitFlags
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: LaneQueue
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if limits.isEmpty {
            throw ValidationError("there is nothing to set; give --max-running or --min-interval")
        }
    }

    func checkInput() throws { _ = try limits.interval() }

    func report(_ database: Database) async throws -> LaneStatus {
        let lanes = queue.lanes(database)
        try await lanes.set(
            lane, maxRunning: limits.maxRunning, minInterval: try limits.interval(),
            by: limits.whom)
        return try await lanes.known(lane, in: queue.queue)
    }
}
