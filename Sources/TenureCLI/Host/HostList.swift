import ArgumentParser
import Content
import Tenure

struct HostList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List hosts with their limits, jobs and holds.",
        discussion: """
            Example:
              tenure host list --busy --json
            """)

    @Flag(help: "Only those with jobs, a hold or limits that somebody set.") var busy = false
    @Option(help: "At most so many, by name.") var limit = 1000
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func validate() throws {
        try ListLimit.check(limit, in: 1...100_000)
    }

    func report(_ database: Database) async throws -> Listing<HostStatus> {
        Listing(
            try await queue.hosts(database).list(onlyBusy: busy, limit: limit),
            none: "no hosts: no fetch and no check has asked one yet")
    }
}
