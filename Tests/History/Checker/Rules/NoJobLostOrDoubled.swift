/// Rule 7: an acknowledged job ends exactly once; another one at most once; a refused one never
/// was.
enum NoJobLostOrDoubled: Rule {
    static let number = 7
    static let title = "no job is lost, none is doubled"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(
            rule: number, "acknowledged enqueues", "enqueues without an acknowledgement",
            "refused enqueues", "acknowledged retries", "jobs that left `job`", "jobs in the end")
        let final = FinalPlaces(history.final)
        judgeEnqueues(history, final, &findings)
        judgeRetries(history, final, &findings)
        for (job, changes) in history.changes { judge(job, changes, history, &findings) }
        judgeAll(final, &findings)
        return findings
    }

    /// One id may be sent by several calls: what any of them was told holds.
    private static func judgeEnqueues(
        _ history: RecordedHistory, _ final: FinalPlaces, _ findings: inout Findings
    ) {
        for (job, calls) in Dictionary(grouping: history.enqueues, by: \.entry.job) {
            let acknowledged = calls.filter { $0.answer == .acknowledged }
            if !acknowledged.isEmpty {
                for call in acknowledged {
                    findings.judge(0)
                    endedOnce(call.stands, call.places, history, final, &findings)
                    if call.stands != job {
                        wasMerged(job, into: call, history, final, &findings)
                    }
                }
            } else if calls.contains(where: { $0.answer != .refused }) {
                findings.judge(1)
                findings.require(
                    final.count(job) <= 1,
                    "job \(job) was not acknowledged and is there \(final.count(job)) times",
                    calls[0].places + final.places(job))
            } else {
                findings.judge(2)
                let inserted = history.changes[job]?.first?.place
                findings.require(
                    final.count(job) == 0 && inserted == nil,
                    "job \(job) was refused and is there all the same",
                    calls[0].places + [inserted].compactMap(\.self) + final.places(job))
            }
        }
    }

    private static func endedOnce(
        _ job: JobID, _ evidence: [Place], _ history: RecordedHistory, _ final: FinalPlaces,
        _ findings: inout Findings
    ) {
        let ends = final.history[job]?.count ?? 0
        if final.jobs[job] != nil {
            findings.violation(
                "job \(job) was acknowledged and has not ended",
                evidence + final.places(job))
        } else if ends > 1 {
            findings.violation("job \(job) ended \(ends) times", evidence + final.places(job))
        } else if ends == 0, !endedUnkept(job, history) {
            findings.violation("job \(job) was acknowledged and is nowhere", evidence)
        }
    }

    /// Where a queue keeps nothing, the deletion is all there is of an end.
    private static func endedUnkept(_ job: JobID, _ history: RecordedHistory) -> Bool {
        guard let left = history.changes[job]?.last, left.new == nil, let row = left.old else {
            return false
        }
        return !history.keepsCompleted(row.queue, at: left.seq)
    }

    private static func wasMerged(
        _ job: JobID, into call: EnqueueStory, _ history: RecordedHistory, _ final: FinalPlaces,
        _ findings: inout Findings
    ) {
        let inserted = history.changes[job]?.first?.place
        findings.require(
            final.count(job) == 0 && inserted == nil,
            "job \(job) was merged into \(call.stands) and is there besides",
            call.places + [inserted].compactMap(\.self) + final.places(job))
    }

    private static func judgeRetries(
        _ history: RecordedHistory, _ final: FinalPlaces, _ findings: inout Findings
    ) {
        for retry in history.retries where retry.answered.answer == .acknowledged {
            findings.judge(3)
            guard let new = retry.answered.retry else {
                findings.violation("a retry was acknowledged without a job", retry.places)
                continue
            }
            endedOnce(new, retry.places, history, final, &findings)
            if let first = history.changes[new]?.first {
                findings.require(
                    first.new?.retryOf == retry.sent.job,
                    "job \(new) does not name the job that it repeats",
                    retry.places + [first.place])
            }
        }
    }

    /// A job is inserted once, and leaves its table only for `job_history`.
    private static func judge(
        _ job: JobID, _ changes: [Change<JobRow>], _ history: RecordedHistory,
        _ findings: inout Findings
    ) {
        let inserts = changes.filter { $0.old == nil }
        findings.require(
            inserts.count <= 1, "job \(job) was inserted \(inserts.count) times",
            inserts.map(\.place))
        for left in changes where left.new == nil {
            guard let row = left.old else { continue }
            findings.judge(4)
            let isKept = history.finishes[.init(xid: left.xid, row: job)] != nil
            findings.require(
                isKept || !history.keepsCompleted(row.queue, at: left.seq),
                "job \(job) was deleted without an end", [left.place])
        }
    }

    private static func judgeAll(_ final: FinalPlaces, _ findings: inout Findings) {
        for job in Set(final.history.keys).union(final.jobs.keys) {
            findings.judge(5)
            findings.require(
                final.count(job) == 1, "job \(job) is there \(final.count(job)) times in the end",
                final.places(job))
        }
    }
}

/// Where each job stands in the end.
private struct FinalPlaces {
    let jobs: [JobID: [Place]]
    let history: [JobID: [Place]]

    init(_ final: FinalTables) {
        jobs = Dictionary(grouping: final.jobs, by: \.row.id).mapValues { $0.map(\.place) }
        history = Dictionary(grouping: final.history, by: \.row.id).mapValues { $0.map(\.place) }
    }

    func places(_ job: JobID) -> [Place] { (jobs[job] ?? []) + (history[job] ?? []) }
    func count(_ job: JobID) -> Int { places(job).count }
}
