import ArgumentParser
import Content
import Tenure

struct ItemShow: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what is kept of a URL, and who says so.",
        discussion: """
            Secrets in URLs are not shown.

            Example:
              tenure item show https://example.org/
              tenure item show https://example.org/ --text
            """)

    @Argument(help: "The item's URL or id.") var item: String
    @Flag(help: "Print the main text and nothing else.") var text = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let found = try await Database.current(settings, MigrationSet.all) { database in
            let items = Items(pool: database.pool)
            let found = try await items.known(item)
            return ItemReport(
                item: found, last: try await items.fetches(of: found, limit: 1).first)
        }
        guard text else { return try Terminal.report(found, json: json) }
        guard let text = found.item[.text] else { throw Failure("there is no text of it") }
        Terminal.output(Terminal.harmless(text))
    }
}
