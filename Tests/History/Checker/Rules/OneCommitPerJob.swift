/// Rule 1: at most one visible commit per job and per generation, made by the run and in the
/// transaction that ended the job.
enum OneCommitPerJob: Rule {
    static let number = 1
    static let title = "one visible commit per job, by its own fence"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "visible commits", "completed jobs that were kept")
        for effects in history.effects.values where effects.count > 1 {
            findings.violation(
                "job \(effects[0].new!.job) has \(effects.count) visible commits",
                effects.map(\.place))
        }
        onePerGeneration(history, &findings)
        for effect in history.audit.effects {
            guard effect.old == nil, let row = effect.new else { continue }
            findings.judge(0)
            madeByTheRun(effect, row, history, &findings)
            notBelowTheFloor(effect, row, history, &findings)
        }
        completedHaveOne(history, &findings)
        return findings
    }

    private struct Generation: Hashable {
        let subject: Subject
        let number: Int?
    }

    private static func onePerGeneration(
        _ history: RecordedHistory, _ findings: inout Findings
    ) {
        var seen: [Generation: Change<EffectRow>] = [:]
        for effect in history.audit.effects {
            guard effect.old == nil, let row = effect.new, let subject = row.subject else {
                continue
            }
            let generation = Generation(subject: subject, number: row.generation)
            if let first = seen[generation], first.new?.job != row.job {
                findings.violation(
                    "generation \(row.generation ?? 0) of \(subject) was committed by two jobs",
                    [first.place, effect.place])
            }
            seen[generation] = effect
        }
    }

    /// In the effect's transaction the job's row had its fence and generation, and ended.
    private static func madeByTheRun(
        _ effect: Change<EffectRow>, _ row: EffectRow, _ history: RecordedHistory,
        _ findings: inout Findings
    ) {
        let left = history.changes[row.job]?.last { $0.xid == effect.xid && $0.new == nil }
        guard let left, let job = left.old else {
            findings.violation(
                "the commit of job \(row.job) is not in the transaction that ended the job",
                [effect.place])
            return
        }
        findings.require(
            job.isRunning && job.fence == row.fence,
            "job \(row.job) was committed by fence \(row.fence), but its row had "
                + "\(job.fence.map { "fence \($0)" } ?? "none")", [effect.place, left.place])
        findings.require(
            job.generation == row.generation && job.kind == row.kind && job.key == row.key,
            "the commit of job \(row.job) is for another kind, key or generation than its row's",
            [effect.place, left.place])
        let finish = history.finishes[.init(xid: effect.xid, row: row.job)]?.first
        if let finish, let end = finish.new {
            findings.require(
                end.outcome == .completed,
                "job \(row.job) has a visible commit and ended \(end.outcome)",
                [effect.place, finish.place])
            findings.require(
                end.fence == row.fence && end.generation == row.generation,
                "the history of job \(row.job) names another fence or generation than its commit",
                [effect.place, finish.place])
        } else {
            findings.require(
                !history.keepsCompleted(job.queue, at: left.seq),
                "job \(row.job) has a visible commit and did not end as completed",
                [effect.place, left.place])
        }
    }

    /// The floor is the one that other transactions had raised: the commit's own follow-up may
    /// supersede its key.
    private static func notBelowTheFloor(
        _ effect: Change<EffectRow>, _ row: EffectRow, _ history: RecordedHistory,
        _ findings: inout Findings
    ) {
        guard let subject = row.subject, let generation = row.generation else { return }
        // The job's row was locked after the subject's: what the subject was by then counts.
        let left = history.changes[row.job]?.last { $0.xid == effect.xid && $0.new == nil }
        let limit = left?.seq ?? effect.seq
        let before = history.changes(of: subject).last { $0.seq < limit && $0.xid != effect.xid }
        guard let before, let floor = before.new?.floor else { return }
        findings.require(
            generation >= floor,
            "job \(row.job) committed generation \(generation) of \(subject), whose floor was "
                + "\(floor)", [effect.place, before.place])
    }

    private static func completedHaveOne(
        _ history: RecordedHistory, _ findings: inout Findings
    ) {
        for finish in history.finishes.values.joined().sorted(by: { $0.seq < $1.seq }) {
            guard let row = finish.new, row.outcome == .completed else { continue }
            findings.judge(1)
            findings.require(
                history.effects[row.id]?.contains { $0.xid == finish.xid } == true,
                "job \(row.id) is completed and has no visible commit", [finish.place])
        }
    }
}

extension EffectRow {
    var subject: Subject? { key.map { Subject(kind: kind, key: $0) } }
}

extension JobRow {
    var subject: Subject? { key.map { Subject(kind: kind, key: $0) } }
}
