/// Rule 15: who waits for others starts behind them, or not at all.
enum WaitsAreKept: Rule {
    static let number = 15
    static let title = "who waits starts behind those it waits for"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(
            rule: number, "waits for jobs", "waits for keys", "jobs cancelled for another's end")
        for enqueue in history.enqueues where !enqueue.entry.needs.isEmpty {
            // One that never was, as it was refused or merged, waits for nobody.
            guard let written = history.changes[enqueue.entry.job]?.first else { continue }
            for need in enqueue.entry.needs {
                switch need {
                case .job(let other, let goesOn):
                    findings.judge(0)
                    judge(written, needs: other, goesOn: goesOn, history, &findings)
                case .key(let subject):
                    findings.judge(1)
                    judge(written, needs: subject, history, &findings)
                }
            }
            isCancelledForAReason(written, enqueue.entry.needs, history, &findings)
        }
        return findings
    }

    private static func judge(
        _ written: Change<JobRow>, needs other: JobID, goesOn: Bool, _ history: RecordedHistory,
        _ findings: inout Findings
    ) {
        guard let job = written.new?.id else { return }
        let end = history.end(of: other)
        for run in history.runs[job] ?? [] {
            let places = [end?.place, run.evidence.first].compactMap(\.self)
            findings.require(
                end.map { run.isBehind($0.seq, $0.boot) } ?? false,
                "\(run.id) began before job \(other) was over, which it waits for", places)
            findings.require(
                goesOn || end?.outcome == .completed,
                "\(run.id) began although job \(other) was not completed, which it waits for",
                places)
        }
    }

    /// The newest generation that there was as the wait was written, or a newer one, has committed.
    private static func judge(
        _ written: Change<JobRow>, needs subject: Subject, _ history: RecordedHistory,
        _ findings: inout Findings
    ) {
        let changes = history.changes(of: subject)
        let known = changes.last { $0.seq < written.seq || $0.xid == written.xid }
        guard let job = written.new?.id, let issued = known?.new?.issued else { return }
        let commit = changes.first { $0.new?.committed ?? 0 >= issued }
        for run in history.runs[job] ?? [] {
            findings.require(
                commit.map { run.isBehind($0.seq, $0.boot) } ?? false,
                "\(run.id) began before \(subject) had committed generation \(issued), which it "
                    + "waits for", [commit?.place, run.evidence.first].compactMap(\.self))
        }
    }

    private static func isCancelledForAReason(
        _ written: Change<JobRow>, _ needs: [Event.Need], _ history: RecordedHistory,
        _ findings: inout Findings
    ) {
        guard let job = written.new?.id, let end = history.end(of: job),
            end.reason?.hasPrefix("after:") ?? false
        else { return }
        findings.judge(2)
        let isMeant = needs.contains { need in
            // Whether a key can still commit is more than the recording tells.
            guard case .job(let other, goesOn: false) = need else {
                if case .key = need { return true }
                return false
            }
            return history.end(of: other).map {
                $0.outcome != .completed && $0.seq < end.seq
            } ?? false
        }
        findings.require(
            isMeant,
            "job \(job) was cancelled for another's end, and none that it waits for ended so",
            [end.place])
    }
}

/// How a job ended. One that was superseded within the call that brought it was never in `job`.
private struct JobEnd {
    let seq: Int
    let boot: Double
    /// Only what is completed may go without a row in history.
    var outcome = HistoryRow.Outcome.completed
    var reason: String?
    let place: Place
}

extension RecordedHistory {
    fileprivate func end(of job: JobID) -> JobEnd? {
        if let change = ends[job] {
            return JobEnd(
                seq: change.seq, boot: change.boot, outcome: change.new?.outcome ?? .completed,
                reason: change.new?.reason, place: change.place)
        }
        guard let last = changes[job]?.last, last.new == nil else { return nil }
        return JobEnd(seq: last.seq, boot: last.boot, place: last.place)
    }
}

extension Run {
    /// Who began because of what somebody committed ran its triggers later. A claim that the audit
    /// lacks has its handler's first line.
    fileprivate func isBehind(_ seq: Int, _ boot: Double) -> Bool {
        if let claim { return claim.seq > seq }
        return started.map { $0.boot >= boot } ?? true
    }
}
