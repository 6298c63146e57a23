import ArgumentParser
import Content
import Tenure

struct HostSet: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set how fast a host is asked.",
        discussion: """
            What is set stays, whatever jobs bring along. An own host is asked as fast as its \
            limits say (10 at a time without a pause, unless you say otherwise), and its \
            robots.txt isn't asked for.

            Example:
              tenure host set www.example.org --own --max-running 4
              tenure host set slow.example --min-interval 5s
            """)

    @Argument(help: "A name or an address.") var host: String
    @OptionGroup var limits: LaneLimitFlags
    @Flag(inversion: .prefixedNo, help: "Whether it is your own.") var own: Bool?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func validate() throws {
        if limits.isEmpty, own == nil {
            throw ValidationError(
                "there is nothing to set; give --max-running, --min-interval or --own")
        }
    }

    func checkInput() throws { _ = try limits.interval() }

    func report(_ database: Database) async throws -> HostStatus {
        let hosts = queue.hosts(database)
        try await hosts.set(
            host, maxRunning: limits.maxRunning, minInterval: try limits.interval(), isOwn: own,
            by: limits.whom)
        return try await hosts.known(host, in: queue.queue)
    }
}
