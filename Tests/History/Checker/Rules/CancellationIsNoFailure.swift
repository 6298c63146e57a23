/// Rule 9: a run that was cancelled leaves no error and costs no attempt; a job that kills its
/// process spends its attempts.
enum CancellationIsNoFailure: Rule {
    static let number = 9
    static let title = "cancellation is no failure"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(
            rule: number, "runs that ended by cancellation", "runs that were given back unstarted",
            "counts of attempts", "runs that crashed their process")
        let errors = Dictionary(grouping: history.final.errors) {
            RunID(job: $0.job, fence: $0.fence)
        }
        for run in history.allRuns {
            guard let kind = CancelledRun(run, history) else { continue }
            findings.judge(kind == .unstarted ? 1 : 0)
            // A death is written down, also when the worker lived: it was reclaimed first.
            let ownErrors = history.mayBeReclaimed(run) ? [] : errors[run.id] ?? []
            leftNoError(run, ownErrors.map(\.place), &findings)
            gaveBackItsAttempt(run, history, &findings)
        }
        attemptsAreBounded(history, &findings)
        crashesCount(history, &findings)
        onlyClaimedIsFree(history, &findings)
        return findings
    }

    private static func leftNoError(
        _ run: Run, _ errors: [Place], _ findings: inout Findings
    ) {
        findings.require(
            errors.isEmpty, "\(run.id) was cancelled and has a failed attempt",
            run.evidence + errors)
        let reports = run.all(.errorReport).map(\.place)
        findings.require(
            reports.isEmpty, "\(run.id) was cancelled and was reported as an error",
            run.evidence + reports)
    }

    private static func gaveBackItsAttempt(
        _ run: Run, _ history: RecordedHistory, _ findings: inout Findings
    ) {
        guard let end = run.end, let before = end.change.old, let after = end.attempt,
            !history.mayBeReclaimed(run)
        else { return }
        if let bound = history.settings.maxRefunds, before.refunds >= bound { return }
        findings.require(
            after == before.attempt - 1,
            "\(run.id) was cancelled, and its attempt \(before.attempt) became \(after)",
            run.evidence + end.places)
    }

    private static func attemptsAreBounded(
        _ history: RecordedHistory, _ findings: inout Findings
    ) {
        func judge(_ job: JobID, _ attempt: Int, _ bound: Int, _ place: Place) {
            findings.judge(2)
            findings.require(
                attempt <= bound, "job \(job) is at attempt \(attempt) of \(bound)", [place])
        }
        for change in history.audit.jobs {
            guard let row = change.new else { continue }
            judge(row.id, row.attempt, row.maxAttempts, change.place)
        }
        for change in history.audit.history {
            guard let row = change.new else { continue }
            judge(row.id, row.attempt, row.maxAttempts, change.place)
        }
    }

    private static func crashesCount(_ history: RecordedHistory, _ findings: inout Findings) {
        var crashed: [JobID: [(run: Run, fault: Fault)]] = [:]
        for fault in history.recording.faults where fault.name == .crashHandler {
            guard let job = fault.job, let name = fault.process else { continue }
            let run = history.runs[job]?.last { $0.process?.name == name && $0.started != nil }
            guard let run else { continue }
            findings.judge(3)
            crashed[job, default: []].append((run, fault))
        }
        for (job, crashes) in crashed {
            for (run, fault) in crashes {
                guard let end = run.end, let before = end.change.old, let after = end.attempt,
                    end.outcome != .cancelled, end.outcome != .superseded
                else { continue }
                // Its note was lost: nobody can know that it had begun (decisions/attempts.md).
                if after == before.attempt - 1, history.holdsRequests(at: fault) { continue }
                findings.require(
                    after == before.attempt,
                    "\(run.id) killed its process, and its attempt \(before.attempt) became "
                        + "\(after)", [fault.place] + end.places)
            }
            let started = history.runs[job]?.filter { $0.started != nil } ?? []
            if started.count == crashes.count {
                endedDiscarded(job, crashes.map(\.fault.place), history, &findings)
            }
        }
    }

    /// Every run of the job killed its process.
    private static func endedDiscarded(
        _ job: JobID, _ evidence: [Place], _ history: RecordedHistory, _ findings: inout Findings
    ) {
        guard let left = history.changes[job]?.last, left.new == nil,
            let finish = history.finishes[.init(xid: left.xid, row: job)]?.first,
            let row = finish.new
        else {
            findings.violation("job \(job) killed its processes and has not ended", evidence)
            return
        }
        switch row.outcome {
        case .cancelled, .superseded: return
        case .completed, .discarded:
            findings.require(
                row.outcome == .discarded && row.attempt == row.maxAttempts,
                "job \(job) killed its processes and ended \(row.outcome) at attempt "
                    + "\(row.attempt) of \(row.maxAttempts)", evidence + [finish.place])
        }
    }
}

extension RecordedHistory {
    /// Whether what the process sent just then stayed on the way, to be dropped with it.
    fileprivate func holdsRequests(at crash: Fault) -> Bool {
        recording.faults.contains {
            $0.holdsRequests && $0.process == crash.process && $0.boot <= crash.boot
                && crash.boot <= ($0.until ?? .infinity)
        }
    }
}

/// The runs of which it is sure that a cancellation ended them, and nothing else did.
private enum CancelledRun {
    /// Its handler was cancelled for a reason that is no failure, and let go.
    case told
    /// Its handler ended by itself, but the job had been cancelled or superseded.
    case overtaken
    /// It never started, and its session gave it back.
    case unstarted

    init?(_ run: Run, _ history: RecordedHistory) {
        let outcome = run.end?.outcome
        if outcome == .completed { return nil }
        if let ended = run.handlerEnded {
            switch (ended.how, run.cancelReason) {
            case (.cancelled, .other?): self = .told
            case (.returned, .timedOut?): return nil
            case (.returned, _) where outcome == .cancelled || outcome == .superseded:
                self = .overtaken
            default: return nil
            }
            return
        }
        guard run.started == nil, let end = run.end, let session = run.session,
            history.sessions[session]?.opened != nil, !history.mayBeReclaimed(run)
        else { return nil }
        let isPending = end.change.new?.state == .available || end.change.new?.state == .scheduled
        guard isPending || outcome == .cancelled || outcome == .superseded else { return nil }
        self = .unstarted
    }
}
