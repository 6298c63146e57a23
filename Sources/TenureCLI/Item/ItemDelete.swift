import ArgumentParser
import Content
import Tenure

struct ItemDelete: TenureCommand {
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

    private struct Output: Encodable {
        let deleted: Bool
        let supersededJobs: Int
        let items: [ImpactOutput]
    }

    func execute() async throws {
        let options = try flags.options()
        let names = items.map { ItemName($0) }
        let permit: ItemDeletion.Permit = force ? .all : redirected ? .redirected : .safe
        let whom = by ?? Whom.name
        let result = try await Database.product(common) { database in
            try await ItemDeletion(client: database.client, pool: database.pool, as: whom)
                .delete(names, permit: permit, options)
        }
        Terminal.output(
            json
                ? try JSONText.encode(
                    Output(
                        deleted: result.isDone, supersededJobs: result.supersededJobs,
                        items: result.impacts.map(ImpactOutput.init))) : Self.text(result))
        let breaks = result.impacts.contains { $0.hardCount > 0 }
        if !result.isDone || breaks { throw ExitCode(Exit.findings) }
    }

    private static func text(_ result: ItemDeletion.Result) -> String {
        let count = "\(result.impacts.count) item\(result.impacts.count == 1 ? "" : "s")"
        let end = result.isDone ? "deleted \(count)" : "nothing was deleted, of \(count)"
        let jobs =
            result.supersededJobs == 0
            ? "" : "; \(result.supersededJobs) of their jobs were taken back"
        let hasPlaces = result.impacts.contains { $0.placeCount > 0 || $0.verdict != .safe }
        return (hasPlaces ? ImpactText.text(result.impacts) + "\n" : "") + end + jobs
    }
}
