import ArgumentParser
import Content
import Tenure

struct ItemEdit: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Set an item's fields as a person.",
        discussion: """
            What is set stays, whatever fetches bring, until it is cleared again; then the next \
            fetch fills it. Fields: \(FieldName.allCases.map(\.rawValue).joined(separator: ", ")).

            Example:
              tenure item edit https://example.org/ --set title="A better title" --by ada
              tenure item edit https://example.org/ --clear title
            """)

    @Argument(help: "The item's URL or id.") var item: String
    @Option(help: ArgumentHelp("A field and its value; repeatable.", valueName: "field=value"))
    var set: [String] = []
    @Option(help: ArgumentHelp("A field to be fetched again; repeatable.", valueName: "field"))
    var clear: [String] = []
    @Option(help: "Who edits, for those who look later. (default: the user's name)")
    var by: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func checkInput() throws { _ = try edit() }

    private func edit() throws -> Content.ItemEdit {
        Content.ItemEdit(
            try values(), clearing: Set(try clear.map { try Self.field($0, "--clear") }),
            by: by ?? Whom.name)
    }

    func report(_ database: Database) async throws -> ItemReport {
        let items = Items(pool: database.pool).acting(from: .cli)
        guard let edited = try await items.edit(ItemName(item), try edit()) else {
            throw Failure.noItem(item)
        }
        return ItemReport(item: edited)
    }

    private func values() throws -> [FieldName: String] {
        var values: [FieldName: String] = [:]
        for text in set {
            guard let equals = text.firstIndex(of: "=") else {
                throw Failure("--set is \"\(text.prefix(80))\"; give field=value")
            }
            let field = try Self.field(String(text[..<equals]), "--set")
            guard values[field] == nil else {
                throw Failure("--set gives \(field.rawValue) twice; give it once")
            }
            values[field] = String(text[text.index(after: equals)...])
        }
        return values
    }

    private static func field(_ text: String, _ flag: String) throws -> FieldName {
        guard let field = FieldName(rawValue: text) else {
            let all = FieldName.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure("\(flag) names \"\(text.prefix(80))\"; give one of \(all)")
        }
        return field
    }
}
