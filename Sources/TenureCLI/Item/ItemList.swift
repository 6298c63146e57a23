import ArgumentParser
import Content
import Tenure

struct ItemList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List items, those first that were fetched last.",
        discussion: """
            Pages that were only checked have no words and no version: nothing is kept of them.

            Example:
              tenure item list --outcome failed --limit 20
              tenure item list --prefix https://example.org/docs/ --doubted --json
              tenure item list --words '"annual report" -draft'
            """)

    @Option(
        help:
            "Only those whose last fetch ended so: stored, unchanged, moved, gone, skipped, failed."
    )
    var outcome: String?
    @Option(help: "Only URLs that begin so.") var prefix: String?
    @Option(
        help: """
            Only those whose title, or whose text, has these words; "or" between two, a - before \
            one, quotes around some. It wants: tenure item words on.
            """)
    var words: String?
    @Flag(help: "Only those whose content is doubted, or has a candidate that nobody has refused.")
    var doubted = false
    @Option(help: "At most so many, 1 to 10000.") var limit = ListLimit.usual
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func validate() throws {
        try ListLimit.check(limit, in: 1...10_000)
        let outcomes = FetchOutcome.allCases.filter { $0 != .itemDeleted }.map(\.rawValue)
        if let outcome, !outcomes.contains(outcome) {
            throw ValidationError(
                "--outcome is \"\(outcome)\"; give one of \(outcomes.joined(separator: ", "))")
        }
    }

    func report(_ database: Database) async throws -> Listing<ItemReport> {
        var filter = ItemFilter()
        filter.outcome = outcome.flatMap { FetchOutcome(rawValue: $0) }
        filter.prefix = prefix
        (filter.isDoubted, filter.words) = (doubted, words)
        filter.limit = limit
        let found = try await Items(pool: database.pool).list(filter)
        return Listing(found.map { ItemReport(item: $0) }, none: "no items")
    }
}
