import ArgumentParser
import Tenure

struct ActionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "action", abstract: "List who did what.",
        discussion: """
            Whatever operators do is written down with it, in the same transaction: by commands, \
            by the console, by programs and by SQL. It is kept for --keep-actions of the \
            coordinator, 90 days by default.

            Example:
              tenure action list --since 1d
            """,
        subcommands: [ActionList.self])
}

struct ActionList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what operators did, the latest first.",
        discussion: """
            A bulk is one row, with its filter, and with how many jobs it has changed. What \
            changed nothing is not listed.

            Example:
              tenure action list --verb cancel --since 1d
              tenure action list --job 01990000-0000-7000-8000-000000000000 --json
            """)

    @Option(help: "Only this verb, such as cancel or pause.") var verb: String?
    @Option(help: "Only what they did.") var by: String?
    @Option(
        help: "Only those of the last so long, such as 30m, 12h or 7d.",
        transform: JobArgument.age)
    var since: Duration?
    @Option(help: "Only what was done to this job.", transform: JobArgument.id) var job: JobID?
    @Option(help: "The most to list, 1 to 10000.") var limit = ListLimit.usual
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        try ListLimit.check(limit, in: 1...10_000)
    }

    func report(_ database: Database) async throws -> Listing<OperatorAction> {
        var filter = ActionFilter()
        (filter.verb, filter.whom, filter.since, filter.job) = (verb, by, since, job)
        filter.limit = limit
        return Listing(
            try await database.inspector.actions(filter),
            none: "nobody has done anything, as far as it is kept")
    }
}

extension OperatorAction: TableRow {
    static let titles = ["when", "by", "from", "did", "to", "jobs", "because"]

    var cells: [String?] {
        [
            TimeText.full(lastAt), whom, source.rawValue, verb, subject, jobs.map { "\($0)" },
            reason,
        ]
    }
}
