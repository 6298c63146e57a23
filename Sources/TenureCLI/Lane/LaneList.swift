import ArgumentParser
import Tenure

struct LaneList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a queue's lanes with their limits, jobs and holds.",
        discussion: """
            Example:
              tenure lane list --queue mail --busy --json
            """)

    @Flag(help: "Only those with jobs, a hold or limits that somebody set.") var busy = false
    @Option(help: "Only those whose names begin so.") var prefix = ""
    @Option(help: "At most so many, by name.") var limit = 1000
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: LaneQueue
    @OptionGroup var common: CommonFlags

    func validate() throws {
        try ListLimit.check(limit, in: 1...100_000)
    }

    func report(_ database: Database) async throws -> Listing<LaneStatus> {
        Listing(
            try await queue.lanes(database).list(prefix: prefix, onlyBusy: busy, limit: limit),
            none: "no lanes: no job of queue \(queue.queue) has named one")
    }
}
