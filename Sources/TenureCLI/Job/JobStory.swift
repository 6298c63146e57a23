import Content
import Tenure
import TenureFoundation

/// A job's story for people.
enum JobStory {
    static func text(_ report: JobReport) -> String {
        let log = log(report.job, isWhole: report.showsWholeLog)
        return sheet(report) + "\n\n" + timeline(report.job) + (log.map { "\n\n" + $0 } ?? "")
    }

    /// The last lines that its runs have logged.
    private static func log(_ job: JobDetail, isWhole: Bool) -> String? {
        if job.log.isEmpty { return nil }
        let shown = isWhole ? job.log[...] : job.log.suffix(10)
        var table = Table("when", "log", longest: isWhole ? 4000 : 240)
        for line in shown {
            table.add(
                line.at.map { TimeText.full($0) } ?? "-", line.text { URLRedaction.text($0) })
        }
        let left = job.log.count - shown.count
        let more = left > 0 ? "\n\(CountText.of(left, "earlier line")); see them with --log" : ""
        return table.text + more
    }

    private static func timeline(_ job: JobDetail) -> String {
        var table = Table("when", "what", longest: 240)
        for line in JobTimeline(job).lines { table.add(TimeText.full(line.at), line.what) }
        return table.text
    }

    private static func sheet(_ report: JobReport) -> String {
        let job = report.job
        let summary = job.summary
        var sheet = Sheet()
        sheet.add("job", "\(summary.id)")
        sheet.add("kind", summary.kind.rawValue)
        sheet.add("state", state(job))
        for delay in report.delays where delay.rule != .running { sheet.add("because", delay.line) }
        sheet.add("queue", summary.queue.rawValue)
        sheet.add("priority", summary.priority == 5 ? nil : "\(summary.priority)")
        sheet.add("lane", job.lane)
        sheet.add("attempts", attempts(job))
        sheet.add("key", summary.key)
        sheet.add("generation", generation(job))
        sheet.add("superseded by", job.supersededBy.map { "\($0)" })
        sheet.add("retry of", job.retryOf.map { "\($0)" })
        sheet.add("retried as", summary.retriedAs.map { "\($0)" })
        sheet.add("tags", job.tags.isEmpty ? nil : job.tags.joined(separator: ", "))
        sheet.add("letter", job.letter.map { "\($0)" })
        sheet.add("batch", job.batch.map { $0.uuidString.lowercased() })
        sheet.add("after", job.after.text)
        sheet.add("waited for by", job.waiters.text)
        sheet.add("signals", signals(job))
        sheet.add("parent", job.parent.map { "\($0)" })
        sheet.add("worker", worker(job))
        sheet.add("lease", lease(job))
        sheet.add("progress", job.progress.map(ProgressText.text))
        addTimes(job, to: &sheet)
        sheet.add("trace", job.trace)
        let version = job.payloadVersion == 1 ? "" : " (version \(job.payloadVersion))"
        sheet.add("payload", URLRedaction.text(job.shownPayload) + version)
        sheet.add("result", job.shownResult)
        return sheet.text
    }

    /// Those that nobody has received: one of a name that the job never asks for stays.
    private static func signals(_ job: JobDetail) -> String? {
        if job.signals.isEmpty { return nil }
        let some = job.signals.prefix(3).map { signal in
            let sender = signal.sentBy.map { "by \($0), " } ?? ""
            return "\"\(signal.name)\" (\(sender)\(TimeText.relative(signal.sentAt)))"
        }
        let more = job.signals.count > some.count ? ", …" : ""
        return "\(job.signals.count) not received: " + some.joined(separator: ", ") + more
    }

    private static func addTimes(_ job: JobDetail, to sheet: inout Sheet) {
        let summary = job.summary
        if summary.finishedAt == nil, summary.status != .running {
            sheet.add("due", TimeText.full(summary.runAt))
        }
        sheet.add("not after", summary.notAfter.map { TimeText.full($0) })
        guard let started = summary.claimedAt else { return }
        if summary.isOnlyClaimed {
            let age = DurationText.format(.seconds(-started.timeIntervalSinceNow))
            return sheet.add("claimed", "\(age) ago, and waits for a slot")
        }
        let waited = started.timeIntervalSince(max(summary.runAt, summary.createdAt))
        sheet.add("waited", DurationText.format(.seconds(max(0, waited))))
        if let finished = summary.finishedAt {
            sheet.add("took", DurationText.format(.seconds(finished.timeIntervalSince(started))))
        } else {
            sheet.add("runs for", DurationText.format(.seconds(-started.timeIntervalSinceNow)))
        }
    }

    private static func state(_ job: JobDetail) -> String {
        let reason = job.reason.map { job.endingAt == nil ? ": \($0)" : " by \($0)" }
        return job.summary.stateText + (reason ?? "")
    }

    private static func attempts(_ job: JobDetail) -> String {
        // What is only claimed counts once its handler begins.
        let counted = job.summary.attempt - (job.summary.isOnlyClaimed ? 1 : 0)
        let uncounted = job.runs - job.summary.attempt
        let runs =
            uncounted > 0 ? ", and \(CountText.of(uncounted, "run")) that did not count" : ""
        return "\(counted) of \(job.summary.maxAttempts)\(runs)"
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

    /// Only while it runs: later it says nothing of the job.
    private static func lease(_ job: JobDetail) -> String? {
        guard job.summary.status == .running, let lease = job.lease, let beat = job.sinceBeat
        else { return nil }
        let state = beat > lease ? ": silent, and about to be declared dead" : ""
        return "\(DurationText.format(lease)), last beat \(DurationText.format(beat)) ago\(state)"
    }
}
