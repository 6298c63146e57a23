import ArgumentParser
public import Content
import Tenure

struct Explain: ReportingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what happened to a URL, what holds it back, and when it is tried next.",
        discussion: """
            Asks nobody but the database.

            Example:
              tenure explain https://example.org/page
            """)

    @Argument(help: "http://… or https://…") var url: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func report(_ database: Database) async throws -> Explanation {
        try await Explainer(
            client: database.client, pool: database.pool, queue: QueueName(queue.queue)
        ).explain(url)
    }
}

extension Explanation: Report {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "url": url, "known": isKnown, "item": item.map { ItemReport(item: $0) },
            "target": target, "events": events, "jobs": jobs, "host": host,
            "hostHoldUntil": hostHoldUntil, "robots": robots,
        ])
    }

    var text: String { ExplainText.text(self) }
}

extension TargetStory: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "state": state, "code": code, "status": status, "failures": failures,
            "checkedAt": checkedAt, "firstBrokenAt": firstBrokenAt, "lastOkAt": lastOkAt,
            "redirectsTo": next,
        ])
    }
}

extension TargetEvent: TableRow {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(["at": at, "before": before, "after": after, "code": code])
    }

    static let titles = ["when", "before", "after", "code"]
    var cells: [String?] { [TimeText.full(at), before, after, code] }
}

extension ExplainedJob: Encodable {
    public func encode(to encoder: any Encoder) throws {
        let summary = job.summary
        try encoder.write([
            "id": "\(summary.id)", "kind": summary.kind, "state": summary.status,
            "queue": summary.queue, "lane": job.lane, "attempt": summary.attempt,
            "maxAttempts": summary.maxAttempts, "reason": job.reason,
            "finishedAt": summary.finishedAt, "delays": delays, "nextTry": delays.nextTry,
        ])
    }
}
