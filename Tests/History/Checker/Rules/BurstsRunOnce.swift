/// Rule 10: the debounced enqueues that met a pending job became that job, which ran once with
/// the last payload.
enum BurstsRunOnce: Rule {
    static let number = 10
    static let title = "a debounced burst ran once, with its last payload"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "bursts", "debounced jobs")
        let unknown = Dictionary(
            grouping: history.enqueues.filter { $0.answer == .unknown }, by: \.entry.subject)
        let merging = history.enqueues.filter {
            $0.answer == .acknowledged && $0.entry.subject != nil
        }
        for (job, all) in Dictionary(grouping: merging, by: \.stands) {
            // Keeping leaves the payload of the job that it found.
            let burst = all.filter { $0.entry.mode != .keeping || $0.entry.job == job }
            guard burst.count > 1, burst.contains(where: { $0.entry.mode == .debounced }) else {
                continue
            }
            let others = unknown[burst[0].entry.subject] ?? []
            judge(job, burst, others, history, &findings)
        }
        noneBesideAPendingOne(history, &findings)
        return findings
    }

    private static func judge(
        _ job: JobID, _ burst: [EnqueueStory], _ unknown: [EnqueueStory],
        _ history: RecordedHistory, _ findings: inout Findings
    ) {
        guard let effects = history.effects[job], let effect = effects.first else { return }
        findings.judge(0)
        findings.require(
            effects.count == 1, "the burst of job \(job) was committed \(effects.count) times",
            effects.map(\.place))
        // Calls that overlap have no known order: any of the last ones may be the last. One
        // without an answer may have been.
        let last = burst.filter { one in
            !burst.contains { one.answered?.isKnownToBe(before: $0.sent) == true }
        }
        let tags = Set((last + unknown).map(\.entry.tag))
        findings.require(
            tags.contains(effect.new?.tag),
            "the burst of job \(job) ran with the payload “\(effect.new?.tag ?? "")”, which is not "
                + "its last", [effect.place] + last.flatMap(\.places))
    }

    /// An enqueue inserts under its key's lock, where it sees every other job of the key.
    private static func noneBesideAPendingOne(
        _ history: RecordedHistory, _ findings: inout Findings
    ) {
        let debounced = Set(
            history.enqueues.filter { $0.entry.mode == .debounced }.map(\.entry.job))
        guard !debounced.isEmpty else { return }
        var pending: [Subject: [JobID: Change<JobRow>]] = [:]
        for change in history.audit.jobs {
            guard let row = change.new ?? change.old, let subject = row.subject else { continue }
            if change.old == nil, debounced.contains(row.id) {
                findings.judge(1)
                let others = pending[subject]?.values.filter { $0.xid != change.xid } ?? []
                for other in others {
                    findings.violation(
                        "job \(row.id) was debounced beside job \(other.new!.id), which was "
                            + "pending", [other.place, change.place])
                }
            }
            pending[subject, default: [:]][row.id] = change.new?.isPending == true ? change : nil
        }
    }
}
