/// Of rule 9: a run that never began costs no attempt, however its worker ended. One that its
/// worker had named as about to begin may be charged.
extension CancellationIsNoFailure {
    static func onlyClaimedIsFree(_ history: RecordedHistory, _ findings: inout Findings) {
        var named: [Int: [ClosedRange<Int>]] = [:]
        for process in history.processes.values {
            for event in process.log.events where event.name == .noted {
                guard let session = event.session, let low = event.fence, let high = event.through
                else { continue }
                named[session, default: []].append(low...max(low, high))
            }
        }
        for run in history.allRuns where run.started == nil && history.mayBeReclaimed(run) {
            guard let session = run.session, history.sessions[session]?.opened != nil,
                let end = run.end, let before = end.change.old, let after = end.attempt,
                !(named[session] ?? []).contains(where: { $0.contains(run.id.fence) })
            else { continue }
            findings.judge(1)
            findings.require(
                after == before.attempt - 1,
                "\(run.id) never began, and its attempt \(before.attempt) became \(after)",
                run.evidence + end.places)
        }
    }
}
