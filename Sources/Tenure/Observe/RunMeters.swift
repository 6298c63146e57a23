import Metrics
import TenurePostgres

/// What is counted for every run, made once for each kind: a metrics library looks a new one up.
final class RunMeters: Sendable {
    private struct OfKind {
        let seconds: Timer
        var ends: [String: Counter] = [:]
    }
    private let kinds = Lock<[JobKind: OfKind]>([:])

    func ended(_ kind: JobKind, became: String, took: Duration) {
        let (counter, timer) = kinds.withLock { kinds in
            let ofKind = kinds[kind]
            if let ofKind, let counter = ofKind.ends[became] { return (counter, ofKind.seconds) }
            let counter = Counter(
                label: "tenure_runs_total",
                dimensions: [("kind", kind.rawValue), ("outcome", became)])
            var grown =
                ofKind
                ?? OfKind(
                    seconds: Timer(
                        label: "tenure_run_seconds", dimensions: [("kind", kind.rawValue)]))
            grown.ends[became] = counter
            kinds[kind] = grown
            return (counter, grown.seconds)
        }
        counter.increment()
        timer.recordNanoseconds(took.nanoseconds)
    }
}
