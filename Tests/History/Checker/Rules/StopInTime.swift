/// Rule 4: when a session's lease ends by its own process's clock, its handlers are told at once.
enum StopInTime: Rule {
    static let number = 4
    static let title = "cancelled before the local deadline"
    static let needsCancellation = true

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "runs at the end of a lease")
        for run in history.allRuns {
            guard let process = run.process, let started = run.started,
                let lease = run.session.flatMap({ history.sessions[$0]?.lease }),
                let end = lease.end(of: run),
                run.wasGoingOn(at: end.boot), process.horizon > end.boot
            else { continue }
            findings.judge(0)
            // Only waking time counts, and only as long as the process is known to have lived.
            let told = run.told(ofTheEnd: end.boot) ?? process.horizon
            let late = process.awake(from: end.boot, to: told)
            findings.require(
                late <= history.settings.tick,
                "\(run.id) went on \(late.brief) after its lease had ended",
                [end.place, started.place] + [run.delivered?.place].compactMap(\.self))
        }
        return findings
    }
}

extension Run {
    /// Whether its handler had begun and had neither ended nor committed.
    fileprivate func wasGoingOn(at time: Double) -> Bool {
        guard let started, started.boot <= time else { return false }
        if let handlerEnded, handlerEnded.boot <= time { return false }
        return !all(.commitAnswered).contains { $0.boot <= time && $0.answer != .failed }
    }

    /// When it learned, or needn't learn any more, that its right is over. A commit that failed
    /// before leaves the handler going.
    fileprivate func told(ofTheEnd end: Double) -> Double? {
        let commits = all(.commitAnswered).filter { $0.answer != .failed || $0.boot >= end }
        return ([delivered, handlerEnded].compactMap(\.self) + commits).map(\.boot).min()
    }
}

extension Double {
    /// As seconds, for a sentence.
    var brief: String {
        "\((self * 1000).rounded() / 1000) s"
    }
}
