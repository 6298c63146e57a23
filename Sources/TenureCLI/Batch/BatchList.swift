import ArgumentParser
import Tenure

struct BatchList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List batches, the newest first.",
        discussion: """
            open: it has jobs left, or may take more. cancelling: some of its jobs have not let go \
            yet. What has ended of a batch is counted by tenure batch show alone.

            Example:
              tenure batch list
              tenure batch list --all --limit 200 --json
            """)

    @Flag(help: "Those that have ended too, as long as they are remembered.") var all = false
    @Option(help: "The most to list, 1 to 1000.") var limit = ListLimit.usual
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        try ListLimit.check(limit, in: 1...1000)
    }

    func report(_ database: Database) async throws -> Listing<BatchLook> {
        Listing(
            try await database.inspector.batches(ended: all, limit: limit)
                .map { BatchLook($0.id, $0.progress, nil) },
            none: all ? "no batches" : "no batches are open; see also --all")
    }
}
