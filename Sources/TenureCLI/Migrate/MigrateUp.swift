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
            Each file is a transaction, and so are all functions together, which are put in place \
            when one of them has changed. Any number may run at once; one applies, the others \
            wait. Functions of a newer release stay.

            With --queue-only the tables of fetching and checking are left out, for a program \
            that has jobs of its own alone: coordinators, doctor and all that is about jobs do \
            without.

            Example:
              tenure migrate up --database-url postgresql://localhost/app
            """)

    @Flag(help: "Only the queue's schema, and the product's where it is there already.")
    var queueOnly = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        try await Database.with(settings, absent: .isMade) { database in
            Terminal.progress("migrating …")
            defer { Terminal.endProgress() }
            let sets = queueOnly ? try await database.schemas() : MigrationSet.all
            let applied = try await database.migrate(sets)
            Terminal.endProgress()
            let newer = try await database.newerFunctions()
            try Terminal.report(Migrated(applied: applied, newerFunctions: newer), json: json)
        }
    }
}

struct Migrated: Report {
    let applied: [String]
    let newerFunctions: [String]

    var text: String {
        let lines =
            applied.map { "applied \($0)" }
            + newerFunctions.map { "the functions of \($0) are a newer release's, and stay" }
        return lines.isEmpty ? "the schema is current" : lines.joined(separator: "\n")
    }
}
