import FoundationEssentials
import Tenure

/// What happened to a job, in order.
struct JobTimeline {
    private var lines: [(at: Date, what: String)] = []

    init(_ job: JobDetail) {
        let summary = job.summary
        lines.append((summary.createdAt, "made"))
        for error in job.errors {
            let place = Self.place(error.worker, error.session, error.fence)
            lines.append(
                (
                    error.failedAt,
                    "attempt \(error.attempt) failed\(place): \(error.code): \(error.message)"
                ))
        }
        if let claimed = summary.claimedAt {
            let place = Self.place(job.worker, job.session, job.fence)
            // A refunded attempt was not counted, but it ran.
            let what =
                summary.isOnlyClaimed ? "claimed" : "attempt \(max(summary.attempt, 1)) started"
            lines.append((claimed, what + place))
        }
        if let ending = job.endingAt {
            lines.append((ending, "told to stop by \(job.reason ?? "an operator")"))
        }
        if let finished = summary.finishedAt {
            let next = job.supersededBy.map { ", by \($0)" } ?? ""
            lines.append((finished, "\(summary.status.rawValue)\(next)"))
        } else if summary.status != .running, summary.status != .waiting,
            summary.status != .held
        {
            lines.append((summary.runAt, summary.runAt > Date() ? "due" : "due, and waits"))
        }
    }

    var text: String {
        var table = Table("when", "what", longest: 240)
        for line in lines.sorted(by: { $0.at < $1.at }) {
            table.add(TimeText.full(line.at), line.what)
        }
        return table.text
    }

    private static func place(_ worker: String?, _ session: SessionID?, _ fence: Fence?) -> String {
        guard let session else { return "" }
        let fence = fence.map { ", fence \($0)" } ?? ""
        return " on \(worker ?? "a forgotten worker") (session \(session)\(fence))"
    }
}
