/// Rule 3: a job's fences rise, its runs don't overlap, and no fence is given twice.
enum FencesRise: Rule {
    static let number = 3
    static let title = "fences rise, and runs don't overlap"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "claims", "claims that a worker was told of")
        for (job, changes) in history.changes { judge(job, changes, &findings) }
        unique(history, &findings)
        return findings
    }

    private static func judge(
        _ job: JobID, _ changes: [Change<JobRow>], _ findings: inout Findings
    ) {
        var last: (fence: Int, place: Place)?
        for change in changes {
            if let old = change.old, old.isRunning, let new = change.new, new.isRunning {
                findings.require(
                    old.fence == new.fence && old.session == new.session,
                    "job \(job) was claimed while it was running", [change.place])
            }
            guard let fence = change.new?.fence, change.old?.fence != fence else { continue }
            findings.judge(0)
            if let last {
                findings.require(
                    fence > last.fence,
                    "job \(job) was claimed with fence \(fence) after fence \(last.fence)",
                    [last.place, change.place])
            }
            last = (fence, change.place)
        }
    }

    /// The database's claims and the answers that workers got, together: a fence that was given
    /// to two is wrong, whoever tells of it.
    private static func unique(_ history: RecordedHistory, _ findings: inout Findings) {
        var owners: [Int: (job: JobID, session: Int?, place: Place)] = [:]
        func give(_ fence: Int, _ job: JobID, _ session: Int?, _ place: Place) {
            guard let first = owners[fence] else {
                owners[fence] = (job, session, place)
                return
            }
            findings.require(
                first.job == job && first.session == session,
                "fence \(fence) was given twice", [first.place, place])
        }
        for run in history.allRuns {
            if let claim = run.claim {
                give(run.id.fence, run.id.job, claim.new?.session, claim.place)
            }
        }
        for run in history.allRuns {
            for claimed in run.all(.claimed) {
                findings.judge(1)
                give(run.id.fence, run.id.job, claimed.session, claimed.place)
            }
        }
    }
}
