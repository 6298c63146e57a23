/// Says when too few bytes came over a whole window of time.
///
/// It looks back from every check, in steps of an eighth of the window: a stall is noticed within
/// 1⅛ windows, and a steady slow sender is as stalled as one that stopped.
struct StallMeter: Sendable {
    typealias Instant = ContinuousClock.Instant

    private let window: Duration
    private let enough: Double
    private var marks: [(time: Instant, bytes: Int)]

    init(window: Duration, bytesPerSecond: Int, now: Instant, bytes: Int) {
        self.window = window
        enough = window / .seconds(1) * Double(bytesPerSecond)
        marks = [(now, bytes)]
    }

    var nextCheck: Instant {
        (marks.last?.time ?? .now) + window / 8
    }

    /// Forgets the past: nothing could come, because nobody read.
    mutating func restart(now: Instant, bytes: Int) {
        marks = [(now, bytes)]
    }

    mutating func isStalled(now: Instant, bytes: Int) -> Bool {
        while marks.count > 1 && marks[1].time <= now - window { marks.removeFirst() }
        if let oldest = marks.first, oldest.time <= now - window,
            Double(bytes - oldest.bytes) < enough
        {
            return true
        }
        if nextCheck <= now { marks.append((now, bytes)) }
        return false
    }
}
