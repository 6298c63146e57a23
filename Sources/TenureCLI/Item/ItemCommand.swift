import ArgumentParser
import Content
import Tenure
import TenureFoundation

struct ItemCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item", abstract: "Show, list, edit, save and delete what was fetched.",
        discussion: """
            Example:
              tenure item list --outcome failed
              tenure item show https://example.org/
              tenure item edit https://example.org/ --set title="A better title"
            """,
        subcommands: [
            ItemShow.self, ItemList.self, ItemHistory.self, ItemEdit.self, ItemSave.self,
            ItemRefuse.self, ItemDelete.self, ItemWordsCommand.self,
        ])
}

extension Items {
    /// - Throws: `Failure` when nothing is known of it.
    func known(_ name: String) async throws -> Item {
        if let found = try await item(ItemName(name)) { return found }
        throw Failure.noItem(name)
    }
}

extension Failure {
    static func noItem(_ name: String) -> Failure {
        Failure(
            "nothing is known of \(URLRedaction.text(name)); fetch it with: tenure fetch URL, or "
                + "look with: tenure item list")
    }
}
