import ArgumentParser
import Tenure

struct MigrateStatus: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show which migrations the database has.",
        discussion: """
            Ends with 1 when one is pending, changed, or unknown to this program. One that is \
            "ahead" is unknown too, but serves this program still. The functions of a schema are \
            one line: applied as they are here, pending, or ahead, a newer release's.

            Example:
              tenure migrate status --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    private struct Line: Encodable {
        let schema: String
        let name: String
        let state: String
    }

    func execute() async throws {
        let settings = try await common.settings()
        let lines = try await Database.with(settings) { database in
            var lines: [Line] = []
            for set in MigrationSet.all {
                for status in try await database.migrator(set).status() {
                    lines.append(
                        Line(schema: set.schema, name: status.name, state: status.state.rawValue))
                }
            }
            return lines
        }
        if json {
            Terminal.output(try JSONText.encode(lines))
        } else {
            var table = Table("schema", "migration", "state")
            for line in lines { table.add(line.schema, line.name, line.state) }
            Terminal.output(table.text)
        }
        let good = [MigrationStatus.State.applied, .ahead].map(\.rawValue)
        let isCurrent = lines.allSatisfy { good.contains($0.state) }
        if !isCurrent { throw ExitCode(Exit.findings) }
    }
}
