import Content
import FoundationEssentials
import Tenure

/// A job's story for people.
enum JobStory {
    static func text(_ job: JobDetail) -> String {
        var text = sheet(job)
        if !job.errors.isEmpty { text += "\n\n" + errors(job.errors) }
        return text
    }

    private static func sheet(_ job: JobDetail) -> String {
        let summary = job.summary
        var sheet = Sheet()
        sheet.add("job", "\(summary.id)")
        sheet.add("kind", summary.kind.rawValue)
        sheet.add("state", state(job))
        sheet.add("queue", summary.queue.rawValue)
        sheet.add("priority", summary.priority == 5 ? nil : "\(summary.priority)")
        sheet.add("lane", job.lane)
        sheet.add("attempts", attempts(job))
        sheet.add("key", summary.key)
        sheet.add("generation", generation(job))
        sheet.add("superseded by", job.supersededBy.map { "\($0)" })
        sheet.add("retry of", job.retryOf.map { "\($0)" })
        sheet.add("run", job.run.map { $0.uuidString.lowercased() })
        sheet.add("parent", job.parent.map { "\($0)" })
        sheet.add("worker", worker(job))
        addTimes(job, to: &sheet)
        sheet.add("trace", job.trace)
        let version = job.payloadVersion == 1 ? "" : " (version \(job.payloadVersion))"
        sheet.add("payload", printable(URLRedaction.text(job.payload)) + version)
        sheet.add("result", job.result.map(printable))
        return sheet.text
    }

    private static func addTimes(_ job: JobDetail, to sheet: inout Sheet) {
        let summary = job.summary
        sheet.add("made", TimeText.full(summary.createdAt))
        if summary.finishedAt == nil, summary.status != .running {
            sheet.add("due", TimeText.full(summary.runAt))
        }
        sheet.add("not after", job.notAfter.map { TimeText.full($0) })
        sheet.add("started", summary.claimedAt.map { TimeText.full($0) })
        sheet.add("cancelled", job.endingAt.map { TimeText.full($0) })
        guard let finished = summary.finishedAt else { return }
        sheet.add("ended", TimeText.full(finished))
        if let started = summary.claimedAt {
            let waited = started.timeIntervalSince(max(summary.runAt, summary.createdAt))
            sheet.add("waited", DurationText.format(.seconds(max(0, waited))))
            sheet.add("took", DurationText.format(.seconds(finished.timeIntervalSince(started))))
        }
    }

    private static func state(_ job: JobDetail) -> String {
        let reason = job.reason.map { job.endingAt == nil ? ": \(printable($0))" : " by \($0)" }
        return job.summary.stateText + (reason ?? "")
    }

    private static func attempts(_ job: JobDetail) -> String {
        let runs = job.runs == job.summary.attempt ? "" : ", \(job.runs) runs with refunded ones"
        return "\(job.summary.attempt) of \(job.summary.maxAttempts)\(runs)"
    }

    private static func generation(_ job: JobDetail) -> String? {
        guard let own = job.summary.generation else { return nil }
        guard let subject = job.subject else { return "\(own)" }
        return "\(own) (of its key: newest \(subject.issued), oldest that may commit "
            + "\(subject.floor), last committed \(subject.committed))"
    }

    private static func worker(_ job: JobDetail) -> String? {
        guard let session = job.session else { return nil }
        let fence = job.fence.map { ", fence \($0)" } ?? ""
        let ended = job.workerEndedAt.map { ", ended \(TimeText.relative($0))" } ?? ""
        return "\(job.worker ?? "forgotten") (session \(session)\(fence)\(ended))"
    }

    private static func errors(_ errors: [JobAttemptError]) -> String {
        var table = Table("attempt", "failed", "session", "code", "error")
        for error in errors {
            table.add(
                "\(error.attempt)", TimeText.relative(error.failedAt),
                error.session.map { "\($0)" }, error.code, error.message)
        }
        return table.text
    }

    private static func printable(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\u{1B}" ? " " : $0 })
    }
}
