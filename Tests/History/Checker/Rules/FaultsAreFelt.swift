/// Rule 13: a fault that reached a call in flight is told of by the process that it reached.
enum FaultsAreFelt: Rule {
    static let number = 13
    static let title = "every fault that reached a call is told of"

    private static let patience = 10.0

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "faults that reached a call")
        let patience = history.settings.lease + patience
        for fault in history.recording.faults where fault.reached {
            findings.judge(0)
            guard let process = history.processes[fault.process ?? ""] else {
                findings.violation(
                    "\(fault.name) reached \(fault.process ?? ""), which has no log",
                    [fault.place])
                continue
            }
            let told = process.log.events.contains { event in
                event.tellsOfAFault && event.boot >= fault.boot
                    && process.awake(from: fault.boot, to: event.boot) <= patience
            }
            if told || wasStopped(process, fault, patience) { continue }
            findings.violation(
                "\(fault.name) reached \(process.name), which doesn't tell of it", [fault.place])
        }
        return findings
    }

    /// Whether it was killed before its time to tell was over.
    private static func wasStopped(
        _ process: ProcessStory, _ fault: Fault, _ patience: Double
    ) -> Bool {
        guard let stopped = process.stopped else { return false }
        return process.awake(from: fault.boot, to: stopped) <= patience
    }
}

extension Event {
    fileprivate var tellsOfAFault: Bool {
        switch name {
        case .databaseError, .beatFailed: true
        case .commitAnswered, .enqueueAnswered, .cancelAnswered, .retryAnswered:
            hasError || wasUnknown
        default: false
        }
    }
}
