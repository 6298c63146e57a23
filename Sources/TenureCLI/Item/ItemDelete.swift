import ArgumentParser
public import Content
import Tenure

struct ItemDelete: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete items, unless somebody depends on them.",
        discussion: """
            All of them, or none: what is safe is what tenure impact says. Fetches of theirs that \
            are under way are stopped, and bring nothing back. --redirected: a redirect takes \
            their place, so that links alone are no reason to refuse. --force deletes whatever \
            breaks, and names it.

            Example:
              tenure item delete https://example.org/old
              tenure item delete https://example.org/a https://example.org/b --force --by ada

            Exit codes: 0 deleted, 1 not deleted, or deleted and something breaks, 2 could not do \
            it.
            """)

    @Argument(help: "URLs or ids of items.") var items: [String]
    @Flag(help: "A redirect takes their place: links to them are no reason to refuse.")
    var redirected = false
    @Flag(help: "Whatever breaks.") var force = false
    @OptionGroup var flags: ImpactFlags
    @Option(help: "Who deletes, for those who look later. (default: the user's name)")
    var by: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func checkInput() throws { _ = try flags.options() }

    func report(_ database: Database) async throws -> ItemDeletion.Result {
        let permit: ItemDeletion.Permit = force ? .all : redirected ? .redirected : .safe
        return try await ItemDeletion(
            client: database.client, pool: database.pool, as: by ?? Whom.name
        ).delete(items.map { ItemName($0) }, permit: permit, try flags.options())
    }
}

extension ItemDeletion.Result: Report {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "deleted": isDone, "supersededJobs": supersededJobs, "items": impacts,
        ])
    }

    var hasFindings: Bool { !isDone || impacts.contains { $0.hardCount > 0 } }

    var text: String {
        let count = CountText.of(impacts.count, "item")
        let end = isDone ? "deleted \(count)" : "nothing was deleted, of \(count)"
        let jobs =
            supersededJobs == 0
            ? "" : "; \(CountText.of(supersededJobs, "job")) about them taken back"
        let hasPlaces = impacts.contains { $0.placeCount > 0 || $0.verdict != .safe }
        return (hasPlaces ? ImpactText.text(impacts) + "\n" : "") + end + jobs
    }
}
