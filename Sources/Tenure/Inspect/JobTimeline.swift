package import TenureFoundation

/// What happened to a job, in order.
package struct JobTimeline: Sendable {
    package private(set) var lines: [(at: Date, what: String)] = []

    package init(_ job: JobDetail) {
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
        for step in job.steps { lines.append((step.doneAt, Self.text(step))) }
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
            summary.status != .held, job.waits.isEmpty
        {
            // The time of a transaction lies before that at which it made the job.
            lines.append(
                (
                    max(summary.runAt, summary.createdAt),
                    summary.runAt > Date() ? "due" : "due, and waits"
                ))
        }
        if summary.status != .running {
            for wait in job.waits {
                let end = wait.until.map { ", until \(TimeText.plain($0))" } ?? ""
                lines.append((wait.since, wait.text + end))
            }
        }
        lines.sort { $0.at < $1.at }
    }

    private static func text(_ step: JobStep) -> String {
        let name = "\"\(step.name)\""
        switch step.way {
        case .done:
            let took = step.took.map { ", took \(DurationText.format($0))" } ?? ""
            return "step \(name) done\(took) (fence \(step.fence))"
        case .signal: return "signal received: \(name) (fence \(step.fence))"
        case .time: return "slept: \(name)"
        case .timeout: return "waited in vain: \(name)"
        }
    }

    private static func place(_ worker: String?, _ session: SessionID?, _ fence: Fence?) -> String {
        guard let session else { return "" }
        let fence = fence.map { ", fence \($0)" } ?? ""
        return " on \(worker ?? "a forgotten worker") (session \(session)\(fence))"
    }
}
