import ArgumentParser
import Tenure

struct MigrateStatus: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show which migrations the database has.",
        discussion: """
            Ends with 1 when one is pending, changed, or unknown to this program. One that is \
            "ahead" is unknown too, but serves this program still. The functions of a schema are \
            one line: applied as they are here, pending, or ahead, a newer release's. The \
            product's schema is left out where only the queue's was made.

            Example:
              tenure migrate status --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let lines = try await Database.with(settings) { database in
            var lines: [MigrationLine] = []
            let isMade = try await database.migrator(.tenure).exists()
            for set in isMade ? try await database.schemas() : MigrationSet.all {
                for status in try await database.migrator(set).status() {
                    lines.append(
                        MigrationLine(schema: set.schema, name: status.name, state: status.state))
                }
            }
            return lines
        }
        try Terminal.report(Listing(lines, none: ""), json: json)
        let isCurrent = lines.allSatisfy { [.applied, .ahead].contains($0.state) }
        if !isCurrent { throw ExitCode(Exit.findings) }
    }
}

struct MigrationLine: TableRow {
    let schema: String
    let name: String
    let state: MigrationStatus.State

    static let titles = ["schema", "migration", "state"]
    var cells: [String?] { [schema, name, state.rawValue] }
}
