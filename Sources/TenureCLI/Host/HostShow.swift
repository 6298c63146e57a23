import ArgumentParser
import Content
import Tenure

struct HostShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a host's limits, jobs and hold.",
        discussion: """
            Example:
              tenure host show www.example.org
            """)

    @Argument(help: "A name or an address.") var host: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func report(_ database: Database) async throws -> HostStatus {
        try await queue.hosts(database).known(host, in: queue.queue)
    }
}
