import Metrics
import TenurePostgres

/// What is counted for every run, made once for each kind: a metrics library looks a new one up.
final class RunMeters: Sendable {
    private struct OfKind {
        let seconds: Timer
        let superseded: FloatingPointCounter
        /// What nearly all runs come to, without a look.
        var completed: Counter?
        var others: [RunOutcome: Counter] = [:]

        func counter(of outcome: RunOutcome) -> Counter? {
            if case .job(.completed) = outcome { return completed }
            return others[outcome]
        }

        mutating func add(_ counter: Counter, of outcome: RunOutcome) {
            if case .job(.completed) = outcome {
                completed = counter
            } else {
                others[outcome] = counter
            }
        }

        init(_ kind: JobKind) {
            let dimensions = [("kind", kind.rawValue)]
            seconds = Timer(label: "tenure_run_seconds", dimensions: dimensions)
            superseded = FloatingPointCounter(
                label: "tenure_superseded_seconds_total", dimensions: dimensions)
        }
    }
    private let kinds = Lock<[JobKind: OfKind]>([:])
    private let queues = Lock<[QueueName: Timer]>([:])

    func started(_ run: RunInfo) {
        let timer = queues.withLock { queues in
            if let timer = queues[run.queue] { return timer }
            let timer = Timer(
                label: "tenure_claim_latency_seconds", dimensions: [("queue", run.queue.rawValue)])
            queues[run.queue] = timer
            return timer
        }
        timer.recordNanoseconds(run.waited.nanoseconds)
    }

    /// - Parameter took: the handler's time; nil where none has begun.
    func ended(_ kind: JobKind, became: RunOutcome, took: Duration?) {
        let (counter, seconds, superseded) = kinds.withLock { kinds in
            if let ofKind = kinds[kind], let counter = ofKind.counter(of: became) {
                return (counter, ofKind.seconds, ofKind.superseded)
            }
            let counter = Counter(
                label: "tenure_runs_total",
                dimensions: [("kind", kind.rawValue), ("outcome", "\(became)")])
            var grown = kinds[kind] ?? OfKind(kind)
            grown.add(counter, of: became)
            kinds[kind] = grown
            return (counter, grown.seconds, grown.superseded)
        }
        counter.increment()
        guard let took else { return }
        seconds.recordNanoseconds(took.nanoseconds)
        if case .job(.superseded) = became {
            superseded.increment(by: took / .seconds(1))
        }
    }
}
