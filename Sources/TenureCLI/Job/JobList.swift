import ArgumentParser
import FoundationEssentials
import Tenure

struct JobCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "job", abstract: "List, show, cancel, retry, discard and delete jobs.",
        discussion: """
            Example:
              tenure job list --state running
              tenure job show 01990000-0000-7000-8000-000000000000
              tenure job cancel --all --queue mail --dry-run
            """,
        subcommands: [
            JobList.self, JobShow.self, JobCancel.self, JobRetry.self, JobDiscard.self,
            JobDelete.self,
        ])
}

struct JobList: TenureCommand {
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
    @Option(help: "At most so many, 1 to 10000.") var limit = 50
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); give 1 to 10000")
        }
    }

    func execute() async throws {
        let settings = try await common.settings()
        var filter = flags.filter
        filter.finished = finished
        filter.limit = limit
        let asked = filter
        let jobs = try await Database.current(settings) { try await $0.inspector.jobs(asked) }
        if json { return Terminal.output(try JSONText.encode(jobs.map(JobOutput.init))) }
        if jobs.isEmpty { return Terminal.output("no jobs") }
        var table = Table("id", "kind", "state", "queue", "key", "attempt", "when")
        for job in jobs {
            table.add(
                "\(job.id)", job.kind.rawValue, job.stateText, job.queue.rawValue, job.key,
                "\(job.attempt)/\(job.maxAttempts)", job.when)
        }
        Terminal.output(table.text)
    }
}

extension JobSummary {
    var stateText: String { isCancelling ? "cancelling" : status.rawValue }

    /// The moment that matters in its state.
    fileprivate var when: String {
        if let finishedAt {
            return "ended \(TimeText.relative(finishedAt))" + (retriedAs == nil ? "" : ", retried")
        }
        if status == .running, let claimedAt { return "since \(TimeText.relative(claimedAt))" }
        if status == .waiting || status == .held { return "made \(TimeText.relative(createdAt))" }
        let expiry = notAfter.map { ", expires \(TimeText.relative($0))" } ?? ""
        return "due \(TimeText.relative(runAt))\(expiry)"
    }
}

/// A job for programs.
struct JobOutput: Encodable {
    let id: JobID
    let kind: String
    let state: String
    let cancelling: Bool
    let queue: String
    @OrNull var key: String?
    @OrNull var generation: Int64?
    let priority: Int16
    let attempt: Int
    let maxAttempts: Int
    let runAt: Date
    let createdAt: Date
    @OrNull var claimedAt: Date?
    @OrNull var finishedAt: Date?
    @OrNull var notAfter: Date?
    @OrNull var retriedAs: JobID?

    init(_ job: JobSummary) {
        id = job.id
        kind = job.kind.rawValue
        state = job.status.rawValue
        cancelling = job.isCancelling
        queue = job.queue.rawValue
        key = job.key
        generation = job.generation?.rawValue
        priority = job.priority
        attempt = job.attempt
        maxAttempts = job.maxAttempts
        runAt = job.runAt
        createdAt = job.createdAt
        claimedAt = job.claimedAt
        finishedAt = job.finishedAt
        notAfter = job.notAfter
        retriedAs = job.retriedAs
    }
}
