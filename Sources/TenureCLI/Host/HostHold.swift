import ArgumentParser
import Content
import Tenure

struct HostHold: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold", abstract: "Ask a host for nothing for a while.",
        discussion: """
            What is under way goes on. The latest of several holds counts; `host release` ends \
            them all.

            Example:
              tenure host hold example.com --for 1h --reason "their mail of Monday"
            """)

    @Argument(help: "A name or an address.") var host: String
    @OptionGroup var hold: HoldFlags
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func checkInput() throws { _ = try hold.time() }

    func report(_ database: Database) async throws -> HostStatus {
        let hosts = queue.hosts(database)
        try await hosts.hold(host, for: try hold.time(), reason: hold.reason, by: hold.whom)
        let found = try await hosts.known(host, in: queue.queue)
        try hold.tell(of: found.lane, remedy: "tenure host release \(host)")
        return found
    }
}
