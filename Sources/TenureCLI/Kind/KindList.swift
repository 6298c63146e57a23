import ArgumentParser
import Tenure

struct KindCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kind",
        abstract: "List, pause and resume kinds of jobs, and say where their letters go.",
        discussion: """
            Example:
              tenure kind list
              tenure kind pause report --reason "the renderer leaks"
              tenure kind letters charge charge-failed
            """,
        subcommands: [
            KindList.self, Pause<PausableKind>.self, Resume<PausableKind>.self,
            KindLetters.self,
        ])
}

struct KindList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the kinds and what their jobs are doing.",
        discussion: """
            Over all queues. due: their run time has come; without a worker that knows the kind \
            they wait on. later: they have a run time ahead. waiting: for other jobs. held: a \
            worker could not read their payload. deaths: processes that died lately while they \
            ran it. letters: the kind of the jobs that tell of its discarded ones.

            Example:
              tenure kind list --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> Listing<KindStatus> {
        Listing(
            try await database.inspector.kinds(),
            none: "no kinds: no job and no worker names one")
    }
}

extension KindStatus: TableRow {
    static let titles = [
        "kind", "state", "due", "running", "claimed", "later", "waiting", "held", "workers",
        "deaths", "letters",
    ]

    var cells: [String?] {
        [
            kind.rawValue, pausedAt == nil ? "open" : "paused by \(pausedBy ?? "someone")",
            "\(due)", "\(running)", "\(claimed)", "\(later)", "\(waiting)", "\(held)",
            "\(workers)", "\(deaths)", letters?.text,
        ]
    }

    var note: String? { reason.map { PlainText.line("\(kind): \($0)") } }
}
