/// One process: its log, and what the rig did to it.
final class ProcessStory {
    let log: ProcessLog
    /// From SIGSTOP to SIGCONT.
    let freezes: [ClosedRange<Double>]
    /// When it was killed or crashed; nil when it ended by itself or lives.
    let stopped: Double?
    /// The last time of which the recording tells anything about it.
    let horizon: Double

    init(log: ProcessLog, faults: [Fault]) {
        self.log = log
        let own = faults.filter { $0.process == log.name }
        freezes = own.filter { $0.name == .freezeWorker || $0.name == .freezeCoordinator }
            .map { $0.boot...max($0.boot, $0.until ?? .infinity) }
            .sorted { $0.lowerBound < $1.lowerBound }
        let kill = own.first { $0.name == .killWorker || $0.name == .killCoordinator }
        let crash = own.first { $0.name == .crashHandler }
        // Nobody sees the moment of a crash: the process lived at least until its last line.
        stopped = kill?.boot ?? crash.flatMap { _ in log.events.last?.boot }
        let lines = [log.events.last?.boot, faults.map(\.boot).max()].compactMap(\.self)
        horizon = stopped ?? lines.max() ?? 0
    }

    var name: String { log.name }

    /// The seconds between two times in which it wasn't frozen. A frozen process can't act.
    func awake(from start: Double, to end: Double) -> Double {
        guard end > start else { return 0 }
        var seconds = end - start
        var counted = start
        for freeze in freezes {
            let from = max(counted, freeze.lowerBound)
            let to = min(end, freeze.upperBound)
            guard to > from else { continue }
            seconds -= to - from
            counted = to
        }
        return seconds
    }

    func wasFrozen(between start: Double, and end: Double) -> Bool {
        freezes.contains { $0.lowerBound <= end && $0.upperBound >= start }
    }
}
