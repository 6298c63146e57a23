import Metrics
import Synchronization

/// A number that only grows.
final class CounterSeries: CounterHandler, FloatingPointCounterHandler {
    private let sum = Mutex(0.0)
    var value: Double { sum.withLock { $0 } }

    func increment(by amount: Int64) { sum.withLock { $0 += Double(amount) } }
    func increment(by amount: Double) { sum.withLock { $0 += amount } }
    func reset() { sum.withLock { $0 = 0 } }
}

/// A number that comes and goes.
final class GaugeSeries: MeterHandler, RecorderHandler {
    private let last = Mutex(0.0)
    var value: Double { last.withLock { $0 } }

    func set(_ value: Int64) { last.withLock { $0 = Double(value) } }
    func set(_ value: Double) { last.withLock { $0 = value } }
    func increment(by amount: Double) { last.withLock { $0 += amount } }
    func decrement(by amount: Double) { last.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
}

/// Durations in buckets from a millisecond to an hour: one lock and no memory for each.
final class HistogramSeries: TimerHandler {
    struct Counts: Sendable {
        /// Of each bucket alone; the last one has no upper bound.
        var buckets = [Int](repeating: 0, count: HistogramSeries.bounds.count + 1)
        var seconds = 0.0
    }
    static let bounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900,
        3600,
    ]
    private let state = Mutex(Counts())
    var counts: Counts { state.withLock { $0 } }

    func recordNanoseconds(_ duration: Int64) {
        let seconds = Double(duration) / 1e9
        var bucket = 0
        while bucket < Self.bounds.count, seconds > Self.bounds[bucket] { bucket += 1 }
        state.withLock {
            $0.buckets[bucket] += 1
            $0.seconds += seconds
        }
    }
}
