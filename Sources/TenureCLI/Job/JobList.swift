import ArgumentParser
import Tenure

struct JobCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "job", abstract: "List, show, cancel, retry, edit, discard and delete jobs.",
        discussion: """
            Example:
              tenure job list --state running
              tenure job show 01990000-0000-7000-8000-000000000000
              tenure job cancel --all --queue mail --dry-run
            """,
        subcommands: [
            JobList.self, JobShow.self, JobCancel.self, JobRetry.self, JobEditCommand.self,
            JobSignal.self, JobDiscard.self, JobDelete.self, JobForget.self, JobKeys.self,
        ])
}

struct JobList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List jobs, the newest first.",
        discussion: """
            Unfinished ones, unless --finished or the name of a final state asks for history.

            Example:
              tenure job list --state retryable --state held --kind content-fetch
              tenure job list --state discarded --error timeout --older-than 1h
              tenure job list --finished --limit 20 --json
            """)

    @OptionGroup var flags: JobFilterFlags
    @Flag(help: "Finished ones too.") var finished = false
    @Option(help: "At most so many, 1 to 10000.") var limit = ListLimit.usual
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        try ListLimit.check(limit, in: 1...10_000)
    }

    func report(_ database: Database) async throws -> Listing<JobSummary> {
        var filter = flags.filter
        filter.finished = finished
        filter.limit = limit
        return Listing(
            try await database.inspector.jobs(filter),
            none: filter.asksHistory ? "no jobs" : "no unfinished jobs; --finished lists all")
    }
}

extension JobSummary: TableRow {
    static let titles = ["id", "kind", "state", "queue", "key", "attempt", "when"]

    var cells: [String?] {
        [
            "\(id)", kind.rawValue, stateText, queue.rawValue, key, "\(attempt)/\(maxAttempts)",
            when,
        ]
    }

    var stateText: String {
        if isCancelling { return "cancelling" }
        return isOnlyClaimed ? "claimed" : status.rawValue
    }

    /// The moment that matters in its state.
    private var when: String {
        if let finishedAt {
            return "ended \(TimeText.relative(finishedAt))" + (retriedAs == nil ? "" : ", retried")
        }
        if status == .running, let claimedAt { return "since \(TimeText.relative(claimedAt))" }
        if status == .waiting || status == .held { return "made \(TimeText.relative(createdAt))" }
        let expiry = notAfter.map { ", expires \(TimeText.relative($0))" } ?? ""
        return "due \(TimeText.relative(runAt))\(expiry)"
    }
}
