/// A line of the summary.
package struct Count: Sendable {
    package let what: String
    package let number: Double
    /// What it counts, absent where it is a plain number.
    package let unit: String?

    private init(_ what: String, _ number: Int) {
        self.what = what
        self.number = Double(number)
        unit = nil
    }

    private init(_ what: String, seconds: Double) {
        self.what = what
        number = seconds
        unit = "s"
    }

    static func all(_ history: RecordedHistory) -> [Count] {
        load(history) + answers(history) + sessions(history) + faults(history)
    }

    private static func load(_ history: RecordedHistory) -> [Count] {
        let finished = history.audit.history.filter { $0.old == nil }.compactMap { $0.new?.outcome }
        func count(_ outcome: HistoryRow.Outcome) -> Int { finished.count { $0 == outcome } }
        return [
            Count("enqueues sent", history.enqueues.count),
            Count("jobs enqueued", history.audit.jobs.count { $0.old == nil }),
            Count("runs", history.allRuns.count { $0.claim != nil }),
            Count("runs that the audit lacks", history.allRuns.count { $0.claim == nil }),
            Count("visible commits", history.effects.values.reduce(0) { $0 + $1.count }),
            Count("ended completed", count(.completed)),
            Count("ended superseded", count(.superseded)),
            Count("ended cancelled", count(.cancelled)),
            Count("ended discarded", count(.discarded)),
            Count("supersedes", supersedes(history)),
        ]
    }

    /// Enqueues that raised a floor.
    private static func supersedes(_ history: RecordedHistory) -> Int {
        history.audit.subjects.count { $0.new?.floor ?? 0 > $0.old?.floor ?? 0 }
    }

    private static func answers(_ history: RecordedHistory) -> [Count] {
        let events = history.recording.processes.lazy.flatMap(\.events)
        let enqueues = history.recording.processes.lazy.filter { $0.role == .producer }
            .flatMap(\.events)
        return [
            Count("late results refused", events.count { $0.name == .late }),
            Count(
                "commits resolved after an unknown outcome",
                events.count { $0.name == .commitAnswered && $0.wasUnknown }),
            Count(
                "enqueues resolved after an unknown outcome",
                enqueues.count { $0.name == .enqueueAnswered && $0.wasUnknown }),
            Count("cancellations delivered", events.count { $0.name == .cancelDelivered }),
        ]
    }

    private static func sessions(_ history: RecordedHistory) -> [Count] {
        let reclaims = history.allRuns.count {
            history.mayBeReclaimed($0) && $0.end?.outcome != .completed
        }
        return [
            Count("sessions", history.sessions.count),
            Count("sessions died", history.sessions.values.count { $0.death != nil }),
            Count("reclaims", reclaims),
        ]
    }

    private static func faults(_ history: RecordedHistory) -> [Count] {
        let faults = history.recording.faults
        let kinds = Fault.Name.allCases.filter { $0 != .end && $0 != .drained }
        let counts = kinds.compactMap { kind -> Count? in
            let number = faults.count { $0.name == kind }
            return number == 0 ? nil : Count("fault: \(kind.rawValue)", number)
        }
        guard let end = history.end, let drained = history.drained else { return counts }
        return counts + [Count("drained after", seconds: drained.boot - end.boot)]
    }
}
