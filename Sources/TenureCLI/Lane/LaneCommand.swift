import ArgumentParser
import Tenure

struct LaneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lane", abstract: "Lanes: parts of a queue with limits of their own.",
        discussion: """
            A lane is named by those who enqueue, such as tenant:42: so many of its jobs run at a \
            time, so far apart, over all workers. What a site's host may be asked is `tenure host`.

            Example:
              tenure lane list --queue mail --busy
              tenure lane set tenant:42 --queue mail --max-running 2
              tenure lane hold tenant:42 --queue mail --for 1h --reason "their import"
            """,
        subcommands: [
            LaneList.self, LaneShow.self, LaneSet.self, LaneHold.self, LaneRelease.self,
        ])
}

/// Whose lanes.
struct LaneQueue: ParsableArguments {
    @Option(help: "The queue that the lane is a part of.") var queue = "default"

    func lanes(_ database: Database) -> Lanes {
        Lanes(client: database.client, queue: QueueName(queue))
    }
}

extension Lanes {
    /// - Throws: `Failure` when no job and no operator has named it.
    func known(_ lane: String, in queue: String) async throws -> LaneStatus {
        if let found = try await status(of: lane) { return found }
        throw Failure(
            "nothing is known of lane \(lane) in queue \(queue): no job there has named it; look "
                + "with: tenure lane list --queue \(queue)")
    }
}
