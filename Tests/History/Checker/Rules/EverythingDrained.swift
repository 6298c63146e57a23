/// Rule 12: when the faults are over, everything that can run has run soon.
enum EverythingDrained: Rule {
    static let number = 12
    static let title = "everything drained in time"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "drains")
        guard let end = history.end else { return findings }
        findings.judge(0)
        guard let drained = history.drained else {
            findings.violation("it never drained", [end.place])
            return findings
        }
        let settings = history.settings
        let allowed = settings.lease + settings.sweep + settings.poll + settings.longestWork
        let wait = lastRetry(history, end, drained)
        let from = wait?.due ?? end.boot
        findings.require(
            drained.boot - from <= allowed,
            "it drained \((drained.boot - from).brief) after "
                + "\(wait == nil ? "the end" : "the last retry was due"), not within "
                + allowed.brief, [end.place, drained.place] + [wait?.place].compactMap(\.self))
        return findings
    }

    /// The latest time, between the end and the drain, at which a job that waited was due.
    private static func lastRetry(
        _ history: RecordedHistory, _ end: Fault, _ drained: Fault
    ) -> (due: Double, place: Place)? {
        guard let offset = databaseClock(history, end) else { return nil }
        var last: (due: Double, place: Place)?
        for changes in history.changes.values {
            let atTheEnd = changes.lastIndex { $0.boot <= end.boot } ?? 0
            for change in changes[atTheEnd...] {
                guard let runAt = change.new?.runAt else { continue }
                let due = runAt - offset
                if due > max(end.boot, last?.due ?? 0), due <= drained.boot {
                    last = (due, change.place)
                }
            }
        }
        return last
    }

    /// What the database's clock is ahead of `boot`. After the end nobody steps it, and the first
    /// beat tells.
    private static func databaseClock(_ history: RecordedHistory, _ end: Fault) -> Double? {
        let beat = history.audit.sessions.first {
            $0.boot > end.boot && $0.old != nil && $0.old?.beatenAt != $0.new?.beatenAt
        }
        guard let beat, let beaten = beat.new?.beatenAt else { return nil }
        return beaten - beat.boot
    }
}

extension RecordedHistory {
    var drained: Fault? { recording.faults.first { $0.name == .drained } }
}
