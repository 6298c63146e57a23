import ArgumentParser
import Content
import Tenure

struct HostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Hosts: how fast they are asked, and which wait.",
        discussion: """
            A host is a lane of the queue: its limits hold over all workers.

            Example:
              tenure host list --busy
              tenure host set www.example.org --own
              tenure host hold example.com --for 1h --reason "their mail of Monday"
            """,
        subcommands: [
            HostList.self, HostShow.self, HostSet.self, HostHold.self, HostRelease.self,
        ])
}

/// Whose lanes.
struct HostQueue: ParsableArguments {
    @Option(help: "The queue whose jobs ask the hosts.") var queue = "default"

    func hosts(_ database: Database) -> Hosts {
        Hosts(client: database.client, pool: database.pool, queue: QueueName(queue))
    }
}

extension Hosts {
    /// - Throws: `Failure` when no job and no operator has named it.
    func known(_ host: String, in queue: String) async throws -> HostStatus {
        if let found = try await status(of: host) { return found }
        throw Failure(
            "nothing is known of host \(host) in queue \(queue); look with: tenure host list")
    }
}
