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

        var type: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }

        func write(_ name: String, _ labels: String, to text: inout PrometheusText) {
            switch self {
            case .counter(let counter): text.add(name, labels, counter.value)
            case .gauge(let gauge): text.add(name, labels, gauge.value)
            case .histogram(let histogram): text.add(name, labels, histogram.counts)
            }
        }
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
        let families = Dictionary(grouping: series.withLock { $0 }, by: \.key.name)
        var text = PrometheusText()
        for (name, members) in families.sorted(by: { $0.key < $1.key }) {
            let ordered = members.sorted { $0.key.labels < $1.key.labels }
            if let first = ordered.first { text.begin(name, first.value.type) }
            for (key, series) in ordered { series.write(name, key.labels, to: &text) }
        }
        return text.text
    }
}
