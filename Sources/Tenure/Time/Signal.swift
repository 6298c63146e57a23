import TenurePostgres

/// A wake-up that isn't lost: set while nobody waits, it lets the next wait through.
/// For one waiter at a time.
package final class Signal: Sendable {
    private enum State {
        case idle, set
        case waiting(CheckedContinuation<Void, Never>)
    }
    private let state = Lock(State.idle)

    package init() {}

    package func notify() {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            if case .waiting(let continuation) = state {
                state = .idle
                return continuation
            }
            state = .set
            return nil
        }
        waiter?.resume()
    }

    /// Returns when notified, or when the task is cancelled.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let passes = state.withLock { state in
                    if case .set = state {
                        state = .idle
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if passes { continuation.resume() }
            }
        } onCancel: {
            notify()
        }
    }

    /// Returns when notified, at the deadline, or when the task is cancelled.
    package func wait(until deadline: ContinuousClock.Instant, on time: any Timekeeper) async {
        if state.withLock({ state in
            guard case .set = state else { return false }
            state = .idle
            return true
        }) {
            return
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask {
                // Only a cancellation throws here, and it has the same consequence.
                try? await time.sleep(until: deadline)
            }
            await group.next()
            group.cancelAll()
        }
    }
}
