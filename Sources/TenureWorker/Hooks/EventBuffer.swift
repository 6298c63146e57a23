import Tenure

/// Events that wait for one reader: so many, and after these a count of what was left out.
final class EventBuffer: Sendable {
    let events: AsyncStream<JobEvent>
    private let input: AsyncStream<JobEvent>.Continuation
    private let missed = Lock(0)

    init(keeping: Int) {
        (events, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(keeping))
    }

    /// Neither waits nor fails.
    func add(_ event: JobEvent) {
        missed.withLock { missed in
            if missed > 0 {
                // The count comes where the events are missing: before all that follows them.
                guard case .enqueued = input.yield(.missed(missed)) else {
                    missed += 1
                    return
                }
                missed = 0
            }
            if case .dropped = input.yield(event) { missed += 1 }
        }
    }

    func finish() {
        missed.withLock { missed in
            if missed > 0 { input.yield(.missed(missed)) }
        }
        input.finish()
    }
}
