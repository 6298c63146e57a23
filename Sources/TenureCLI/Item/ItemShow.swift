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
        let name = item
        let (found, last) = try await Database.items(settings) { items in
            let found = try await items.item(ItemName(name))
            guard let found else { throw Failure.noItem(name) }
            return (found, try await items.fetches(of: found, limit: 1).first)
        }
        if text {
            guard let text = found[.text] else { throw Failure("there is no text of it") }
            return Terminal.output(Terminal.harmless(text))
        }
        if json { return Terminal.output(try JSONText.encode(ItemOutput(found, last))) }
        Terminal.output(ItemText.text(found, last))
    }
}
