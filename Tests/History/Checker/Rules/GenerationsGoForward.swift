/// Rule 2: a key's visible generation never goes down, nor do its subject's numbers.
enum GenerationsGoForward: Rule {
    static let number = 2
    static let title = "generations only go forward"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "visible generations", "changes of subjects")
        visible(history, &findings)
        for change in history.audit.subjects {
            guard let old = change.old, let new = change.new else { continue }
            findings.judge(1)
            let numbers = [
                ("floor", old.floor, new.floor), ("issued", old.issued, new.issued),
                ("committed", old.committed, new.committed),
            ]
            for (name, before, after) in numbers where after < before {
                findings.violation(
                    "`\(name)` of \(new.subject) went down from \(before) to \(after)",
                    [change.place])
            }
        }
        return findings
    }

    /// The subject's row says in which order its key's generations became visible: each commit
    /// writes its own into `committed`, under the row's lock.
    private static func visible(_ history: RecordedHistory, _ findings: inout Findings) {
        var commits: [Subject: [(seq: Int, generation: Int, place: Place)]] = [:]
        for effect in history.audit.effects {
            guard effect.old == nil, let row = effect.new, let subject = row.subject,
                let generation = row.generation
            else { continue }
            findings.judge(0)
            let changes = history.subjectChanges[.init(xid: effect.xid, row: subject)] ?? []
            guard let change = changes.first(where: { $0.new?.committed == generation }) else {
                findings.violation(
                    "generation \(generation) of \(subject) became visible, and `committed` was "
                        + "not set to it", [effect.place])
                continue
            }
            commits[subject, default: []].append((change.seq, generation, effect.place))
        }
        for (subject, commits) in commits {
            let ordered = commits.sorted { $0.seq < $1.seq }
            for (before, after) in zip(ordered, ordered.dropFirst())
            where after.generation < before.generation {
                findings.violation(
                    "generation \(after.generation) of \(subject) became visible after "
                        + "\(before.generation)", [before.place, after.place])
            }
        }
    }
}
