import ArgumentParser
import Content
import Tenure

struct ItemList: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List items, those first that were fetched last.",
        discussion: """
            Pages that were only checked have no words and no version: nothing is kept of them.

            Example:
              tenure item list --outcome failed --limit 20
              tenure item list --prefix https://example.org/docs/ --doubted --json
            """)

    @Option(
        help:
            "Only those whose last fetch ended so: stored, unchanged, moved, gone, skipped, failed."
    )
    var outcome: String?
    @Option(help: "Only URLs that begin so.") var prefix: String?
    @Flag(help: "Only those whose content is doubted, or has a candidate beside it.")
    var doubted = false
    @Option(help: "At most so many, 1 to 10000.") var limit = 50
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); give 1 to 10000")
        }
        let outcomes = FetchOutcome.allCases.filter { $0 != .itemDeleted }.map(\.rawValue)
        if let outcome, !outcomes.contains(outcome) {
            throw ValidationError(
                "--outcome is \"\(outcome)\"; give one of \(outcomes.joined(separator: ", "))")
        }
    }

    func execute() async throws {
        let settings = try await common.settings()
        var filter = ItemFilter()
        filter.outcome = outcome.flatMap { FetchOutcome(rawValue: $0) }
        filter.prefix = prefix
        filter.isDoubted = doubted
        filter.limit = limit
        let asked = filter
        let found = try await Database.items(settings) { try await $0.list(asked) }
        if json {
            return Terminal.output(try JSONText.encode(found.map { ItemOutput($0, nil) }))
        }
        if found.isEmpty { return Terminal.output("no items") }
        var table = Table("url", "outcome", "status", "words", "version", "title", "tried")
        for item in found {
            table.add(
                URLRedaction.text(item.url), ItemText.outcome(item),
                item.status.map(String.init), item.keptWords.map(String.init),
                item.keptVersion.map(String.init), item.title, TimeText.relative(item.attemptedAt))
        }
        Terminal.output(table.text)
    }
}
