import ArgumentParser
import Content
import Tenure

struct ItemHistory: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show an item's versions and fetches, the newest first.",
        discussion: """
            Example:
              tenure item history https://example.org/ --limit 10
            """)

    @Argument(help: "The item's URL or id.") var item: String
    @Option(help: "At most so many of each, 1 to 10000.") var limit = 20
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func validate() throws {
        try ListLimit.check(limit, in: 1...10_000)
    }

    func report(_ database: Database) async throws -> ItemStory {
        let items = Items(pool: database.pool)
        let found = try await items.known(item)
        return ItemStory(
            versions: try await items.versions(of: found, limit: limit),
            fetches: try await items.fetches(of: found, limit: limit))
    }
}

struct ItemStory: Report {
    let versions: [ItemVersion]
    let fetches: [ItemFetchRecord]

    var text: String {
        Listing(versions, none: "no versions").text + "\n\n"
            + Listing(fetches, none: "no fetches").text
    }
}
