import ArgumentParser
import Tenure

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "What a database needs after a restore from backup.",
        discussion: """
            Example:
              tenure restore check
            """,
        subcommands: [RestoreCheck.self])
}

struct RestoreCheck: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a restored database before workers start, and mend it.",
        discussion: """
            Fences, generations and sessions are numbered by sequences that must never run \
            backwards, neither behind the tables nor behind what workers and other systems have \
            seen since the backup. --fix raises all three past both, by --ahead numbers, and ends \
            the sessions that were open at the time of the backup: their jobs run again. Stop \
            workers and producers first; the whole procedure is in docs/restore.md.

            Ends with 1 when a sequence is behind its tables or a session is open.

            Example:
              tenure restore check
              tenure restore check --fix --dry-run
              tenure restore check --fix
            """)

    @Flag(help: "Raise the sequences, and end the open sessions.") var fix = false
    @Flag(help: "With --fix: say what it would do, and do nothing.") var dryRun = false
    @Option(
        help: "How far past the largest number known: more than were given since the backup.")
    var ahead: Int64 = 1_000_000
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if dryRun, !fix { throw ValidationError("--dry-run goes with --fix") }
        if !(0...1_000_000_000_000).contains(ahead) {
            throw ValidationError("--ahead is \(ahead); give 0 to 1000000000000")
        }
    }

    func report(_ database: Database) async throws -> RestoreReport {
        let restored = RestoredDatabase(pool: database.pool, ahead: ahead)
        if fix, !dryRun { return try await restored.mend() }
        return try await restored.look(plansToMend: fix)
    }
}
