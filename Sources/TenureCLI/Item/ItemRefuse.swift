import ArgumentParser
import Content
import Tenure

struct ItemRefuse: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Say that an item's candidate isn't wanted.",
        discussion: """
            What looked wrong when it was fetched lies beside the content, as its candidate. A \
            refused one is asked about no more; another document that looks wrong is. To take it, \
            give: tenure fetch URL --force --merge replace

            Example:
              tenure item list --doubted
              tenure item refuse https://example.org/ --by ada
            """)

    @Argument(help: "The item's URL or id.") var item: String
    @Option(help: "Who refuses, for those who look later. (default: the user's name)")
    var by: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func report(_ database: Database) async throws -> ItemReport {
        let items = Items(pool: database.pool).acting(from: .cli)
        guard let refused = try await items.refuseCandidate(of: ItemName(item), by: by ?? Whom.name)
        else { throw Failure.noItem(item) }
        return ItemReport(item: refused)
    }
}
