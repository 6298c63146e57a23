import ArgumentParser
import Tenure

struct LaneHold: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold", abstract: "Start no job of a lane for a while.",
        discussion: """
            What runs goes on. The latest of several holds counts; `lane release` ends them all.

            Example:
              tenure lane hold tenant:42 --queue mail --for 1h --reason "their import"
            """)

    @Argument(help: "The lane's name.") var lane: String
    @OptionGroup var hold: HoldFlags
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: LaneQueue
    @OptionGroup var common: CommonFlags

    func checkInput() throws { _ = try hold.time() }

    func report(_ database: Database) async throws -> LaneStatus {
        let lanes = queue.lanes(database)
        try await lanes.hold(lane, for: try hold.time(), reason: hold.reason, by: hold.whom)
        let found = try await lanes.known(lane, in: queue.queue)
        try hold.tell(
            of: found, remedy: "tenure lane release \(lane) --queue \(queue.queue)")
        return found
    }
}
