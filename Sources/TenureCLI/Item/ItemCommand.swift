import ArgumentParser
import Content
import FoundationEssentials
import Tenure

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
            ItemDelete.self,
        ])
}

extension Database {
    /// The items of a database whose schemas are those that this program knows.
    static func items<Result: Sendable>(
        _ settings: Settings, _ body: @Sendable (Items) async throws -> Result
    ) async throws -> Result {
        try await current(settings, MigrationSet.all) { try await body(Items(pool: $0.pool)) }
    }
}

extension Failure {
    static func noItem(_ name: String) -> Failure {
        Failure(
            "nothing is known of \(URLRedaction.text(name)); fetch it with: tenure fetch URL, or "
                + "look with: tenure item list")
    }
}
