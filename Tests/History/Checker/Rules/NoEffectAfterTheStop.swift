/// Rule 6: nothing starts an effect after the hard stop, nor after a later run had started.
enum NoEffectAfterTheStop: Rule {
    static let number = 6
    static let title = "no effect after the hard stop"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "effects started", "effects that arrived")
        for run in history.allRuns {
            let stop = hardStop(run, history)
            for effect in run.all(.effectStarting) {
                findings.judge(0)
                judge(effect.boot, effect.place, run, stop, &findings)
            }
        }
        for line in history.recording.sink {
            findings.judge(1)
            guard let run = history.run(line.job, line.fence) else { continue }
            judge(line.sent, line.place, run, hardStop(run, history), &findings)
            notAfterALaterRun(line, run, history, &findings)
        }
        return findings
    }

    private struct Stop {
        let boot: Double
        let place: Place
    }

    private static func hardStop(_ run: Run, _ history: RecordedHistory) -> Stop? {
        guard let lease = run.session.flatMap({ history.sessions[$0]?.lease }),
            let end = lease.end(of: run)
        else { return nil }
        return Stop(boot: end.boot + history.settings.stopDelay, place: end.place)
    }

    private static func judge(
        _ time: Double, _ place: Place, _ run: Run, _ stop: Stop?, _ findings: inout Findings
    ) {
        guard let stop, time > stop.boot, !run.wasFrozen(before: time, over: stop.boot) else {
            return
        }
        findings.violation(
            "\(run.id) started an effect \((time - stop.boot).brief) after the hard stop",
            [stop.place, place])
    }

    private static func notAfterALaterRun(
        _ line: SinkLine, _ run: Run, _ history: RecordedHistory, _ findings: inout Findings
    ) {
        let later = (history.runs[line.job] ?? []).filter { $0.id.fence > line.fence }
        for other in later {
            guard let started = other.started, started.boot < line.sent,
                !run.wasFrozen(before: line.sent, over: started.boot)
            else { continue }
            findings.violation(
                "\(run.id) sent an effect after fence \(other.id.fence) had started",
                [started.place, line.place])
        }
    }
}

extension Run {
    /// Whether a freeze can explain that an effect was sent after a limit: the handler's last
    /// look was before the limit, and between the look and the sending the process was frozen
    /// past the limit.
    ///
    /// The look was after the handler's line before `effectStarting`, which is written after it.
    fileprivate func wasFrozen(before time: Double, over limit: Double) -> Bool {
        guard let process else { return false }
        let steps = events.filter(\.isAHandlersStep).filter { $0.boot <= time }
        let announced = steps.last { $0.name == .effectStarting }
        let before = steps.last { $0.place < announced?.place ?? $0.place }
        let earliest = (before ?? claimed)?.boot ?? 0
        guard earliest <= limit else { return false }
        return process.freezes.contains { freeze in
            freeze.lowerBound <= time && freeze.upperBound >= max(earliest, limit)
        }
    }
}

extension Event {
    /// Written by the handler itself, one after the other.
    fileprivate var isAHandlersStep: Bool {
        switch name {
        case .handlerStarted, .effectStarting, .commitStarting, .commitAnswered: true
        default: false
        }
    }
}
