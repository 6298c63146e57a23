import ArgumentParser
import Content
import Tenure
import TenureFoundation

struct SiteRemove: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Watch a site no longer.",
        discussion: """
            A check that runs is cancelled. Its items stay; with --items they are deleted, all of \
            them or none: as tenure item delete does, which says what depends on them.

            Example:
              tenure site remove https://www.example.org/
              tenure site remove https://old.example.org/ --items

            Exit codes: 0 removed, 1 removed, and its items were not deleted, 2 could not do it.
            """)

    @OptionGroup var site: SiteArgument
    @Flag(help: "Delete its items, too, unless somebody depends on them.") var items = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    private struct Output: Encodable {
        let site: String
        let result: SiteResult.Result
        let items: Int
        let deleted: Bool
        /// Those that others depend on.
        let kept: [ItemImpact]
    }

    func execute() async throws {
        let (count, result) = try await Database.product(common) { database in
            let ids = try await database.sites.remove(site.name)
            guard items, !ids.isEmpty else { return (ids.count, ItemDeletion.Result?.none) }
            let deletion = ItemDeletion(
                client: database.client, pool: database.pool, as: Whom.name)
            return (ids.count, try await deletion.delete(ids.map { ItemName.id($0) }))
        }
        let kept = result.map { $0.isDone ? [] : $0.impacts.filter { $0.verdict != .safe } } ?? []
        if json {
            let output = Output(
                site: URLRedaction.text(site.site), result: .removed, items: count,
                deleted: result?.isDone ?? false, kept: kept)
            Terminal.output(try JSONText.encode(output))
        } else {
            Terminal.line("removed \(URLRedaction.text(site.site))")
            if let result { Terminal.output(Self.text(result, kept, of: count)) }
        }
        if let result, !result.isDone { throw ExitCode(Exit.findings) }
    }

    private static func text(
        _ result: ItemDeletion.Result, _ kept: [ItemImpact], of count: Int
    ) -> String {
        let items = CountText.of(count, "item")
        if result.isDone { return "deleted \(items)" }
        return ImpactText.text(kept) + "\nnothing was deleted, of \(items)"
    }
}
