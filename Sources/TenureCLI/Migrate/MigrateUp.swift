import ArgumentParser
import Tenure

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring the database to this program's schema.",
        discussion: """
            Example:
              tenure migrate up
              tenure migrate status
            """,
        subcommands: [MigrateUp.self, MigrateStatus.self])
}

struct MigrateUp: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "up", abstract: "Apply the migrations that are pending.",
        discussion: """
            Each file is a transaction. Any number may run at once; one applies, the others wait.

            Example:
              tenure migrate up --database-url postgresql://localhost/app
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup(title: "Common options") var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        try await Database.with(settings, absent: .isMade) { database in
            Terminal.progress("migrating …")
            defer { Terminal.endProgress() }
            let applied = try await database.migrate()
            Terminal.endProgress()
            if json { return Terminal.output(try JSONText.encode(["applied": applied])) }
            for name in applied { Terminal.output("applied \(name)") }
            if applied.isEmpty { Terminal.output("the schema is current") }
        }
    }
}
