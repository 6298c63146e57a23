import Metrics
import Synchronization

/// What swift-metrics reports, kept for whoever scrapes it: one series for each name and set of
/// dimensions, made once and never forgotten.
///
/// Recorders are not used by the library; one that a handler makes shows its last value.
final class MeterRegistry: MetricsFactory {
    private struct Key: Hashable {
        let name: String
        let labels: String
    }
    private enum Series {
        case counter(CounterSeries)
        case gauge(GaugeSeries)
        case histogram(HistogramSeries)
    }
    private let series = Mutex<[Key: Series]>([:])

    /// The process's: swift-metrics takes one for the life of the process.
    static let shared: MeterRegistry = {
        let registry = MeterRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()

    private func counter(_ name: String, _ dimensions: [(String, String)]) -> CounterSeries {
        let key = Key(name: name, labels: PrometheusText.labels(dimensions))
        return series.withLock { series in
            if case .counter(let found) = series[key] { return found }
            let new = CounterSeries()
            series[key] = .counter(new)
            return new
        }
    }

    private func gauge(_ name: String, _ dimensions: [(String, String)]) -> GaugeSeries {
        let key = Key(name: name, labels: PrometheusText.labels(dimensions))
        return series.withLock { series in
            if case .gauge(let found) = series[key] { return found }
            let new = GaugeSeries()
            series[key] = .gauge(new)
            return new
        }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(label, dimensions)
    }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { counter(label, dimensions) }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions)
    }

    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { gauge(label, dimensions) }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let key = Key(name: label, labels: PrometheusText.labels(dimensions))
        return series.withLock { series in
            if case .histogram(let found) = series[key] { return found }
            let new = HistogramSeries()
            series[key] = .histogram(new)
            return new
        }
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    /// All series, a family at a time.
    var text: String {
        let all = series.withLock { $0 }
        let families = Dictionary(grouping: all, by: \.key.name)
        var text = PrometheusText()
        for (name, members) in families.sorted(by: { $0.key < $1.key }) {
            for (index, member) in members.sorted(by: { $0.key.labels < $1.key.labels }).enumerated()
            {
                switch member.value {
                case .counter(let counter):
                    if index == 0 { text.begin(name, "counter") }
                    text.add(name, member.key.labels, counter.value)
                case .gauge(let gauge):
                    if index == 0 { text.begin(name, "gauge") }
                    text.add(name, member.key.labels, gauge.value)
                case .histogram(let histogram):
                    if index == 0 { text.begin(name, "histogram") }
                    text.add(name, member.key.labels, histogram.counts)
                }
            }
        }
        return text.text
    }
}

final class CounterSeries: CounterHandler, FloatingPointCounterHandler {
    private let sum = Mutex(0.0)
    var value: Double { sum.withLock { $0 } }

    func increment(by amount: Int64) { sum.withLock { $0 += Double(amount) } }
    func increment(by amount: Double) { sum.withLock { $0 += amount } }
    func reset() { sum.withLock { $0 = 0 } }
}

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
