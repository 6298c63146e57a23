import Tenure

/// Jobs that this worker has let go, and for which it has room: it claims them itself, and the
/// others are told of what is left a few milliseconds later. Else each link of a chain would wake
/// every worker, and all but one of them in vain.
final class OfferedJobs: Sendable {
    private struct State {
        var jobs: [JobID: QueueName] = [:]
        /// When the oldest of them has waited long enough.
        var tellAt: ContinuousClock.Instant?
    }
    /// A claim takes one or two.
    static let patience = Duration.milliseconds(5)
    private let state = Lock(State())

    /// When the others are to be told.
    var tellAt: ContinuousClock.Instant? { state.withLock { $0.tellAt } }

    func add(_ jobs: [JobID], in queue: QueueName, at now: ContinuousClock.Instant) {
        state.withLock { state in
            for job in jobs { state.jobs[job] = queue }
            state.tellAt = state.tellAt ?? now + Self.patience
        }
    }

    func claimed(_ jobs: some Sequence<JobID>) {
        state.withLock { state in
            if state.jobs.isEmpty { return }
            for job in jobs { state.jobs[job] = nil }
            if state.jobs.isEmpty { state.tellAt = nil }
        }
    }

    /// The queues of those that have waited long enough: somebody else may have room sooner.
    func takeLeft(at now: ContinuousClock.Instant) -> Set<QueueName> {
        let isTime = state.withLock { state in state.tellAt.map { $0 <= now } ?? false }
        return isTime ? takeAll() : []
    }

    func takeAll() -> Set<QueueName> {
        state.withLock { state in
            defer { state = State() }
            return Set(state.jobs.values)
        }
    }
}
