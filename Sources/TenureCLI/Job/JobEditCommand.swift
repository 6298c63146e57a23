import ArgumentParser
import Content
import Tenure

struct JobEditCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a job that has not started.",
        discussion: """
            All that is given is changed, or nothing. A run time that is over is now. A new \
            payload is a new generation of the job's key; a held job with a new payload is no \
            longer held. A later enqueue of the key may replace it again, as its mode says. Ends \
            with 1 when nothing was changed, and says why.

            Example:
              tenure job edit 01990000-0000-7000-8000-000000000000 --after 2h --priority 8
              tenure job edit 01990000-0000-7000-8000-000000000000 --payload @report.json
            """)

    @Argument(help: "The job's id.", transform: JobArgument.id) var id: JobID
    @Option(help: "Run it after a pause from now, such as 30s or 5m; 0s is now.")
    var after: String?
    @Option(help: "Run it at a time, such as 2030-01-31T08:00:00Z.") var at: String?
    @Option(help: "Lower runs first, 0 to 9.") var priority: Int16?
    @Option(help: "The queue that it is to wait in.") var queue: String?
    @Option(help: "JSON; - reads standard input, @FILE a file.") var payload: String?
    @Option(help: "The version of the payload's form, 1 to 32767.") var payloadVersion: Int16?
    @Option(help: "Attempts before it is discarded, 1 to 10000.") var maxAttempts: Int?
    @Option(help: "A tag that it is to have, and no others but those given so; repeatable.")
    var tag: [String] = []
    @Flag(help: "Take its tags away.") var noTags = false
    @Option(help: "Who edits, for those who look later. (default: the user's name)")
    var by: String?
    @Option(help: "Why, for those who look later.", transform: JobArgument.reason)
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if after != nil, at != nil { throw ValidationError("give --after or --at, not both") }
        let texts = [after, at, queue, payload]
        if noTags, !tag.isEmpty { throw ValidationError("give --tag or --no-tags, not both") }
        let isEmpty =
            priority == nil && payloadVersion == nil && maxAttempts == nil && tag.isEmpty && !noTags
        if isEmpty, texts.allSatisfy({ $0 == nil }) {
            throw ValidationError(
                "nothing is to be changed: give --after, --at, --priority, --queue, --payload, "
                    + "--payload-version, --max-attempts, --tag or --no-tags")
        }
    }

    func report(_ database: Database) async throws -> EditReport {
        let payload = try payload.map { try PayloadSource.read($0) }
        let edit: JobEdit
        do {
            edit = try JobEdit(
                runTime: try EnqueueFlags.runTime(after: after, at: at),
                priority: priority.map { JobPriority($0) }, queue: queue.map { QueueName($0) },
                maxAttempts: maxAttempts, payload: payload, payloadVersion: payloadVersion,
                tags: noTags ? [] : tag.isEmpty ? nil : tag)
            if let payload, let kind = try await database.inspector.job(id)?.summary.kind {
                try ContentJobs.check(kind, payload: payload)
            }
            let someone = Operator(
                client: database.client, as: by ?? Whom.name, because: reason)
            let result = try await someone.edit(id, edit)
            if result == .unknown { throw Failure.noJob(id) }
            return EditReport(id: id, result: result)
        } catch let error as TenureError where error.code == .invalidJob {
            throw EnqueueFlags.named(error)
        } catch let error as PostgresError where error.sqlState == "TN003" {
            throw Failure(error.message + (error.hint.map { "; \($0)" } ?? ""))
        }
    }
}

struct EditReport: Report {
    let id: JobID
    let result: EditResult

    func encode(to encoder: any Encoder) throws {
        try encoder.write(["id": id, "result": result])
    }

    var text: String {
        result == .edited ? "edited \(id)" : "nothing done to \(id): \(result.words)"
    }

    var hasFindings: Bool { result != .edited }
}
