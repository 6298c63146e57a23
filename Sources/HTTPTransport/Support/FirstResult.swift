/// A result that several may give, and one waits for: the first counts.
final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case known(Result<Value, any Error>)
    }

    private let state = Lock(State.open)

    var isKnown: Bool {
        state.withLock { state in
            if case .known = state { true } else { false }
        }
    }

    func give(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .known: return nil
            case .open:
                state = .known(result)
                return nil
            case .awaited(let waiter):
                state = .known(result)
                return waiter
            }
        }
        waiter?.resume(with: result)
    }

    /// Waited for once. A task that is cancelled gives `CancellationError`, one that is late
    /// `lateness`.
    func value(
        within limit: Duration, orThrow lateness: any Error
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await Task.sleep(for: limit)
                self.give(.failure(lateness))
            }
            defer { group.cancelAll() }
            return try await value()
        }
    }

    private func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let known = state.withLock { state -> Result<Value, any Error>? in
                    if case .known(let result) = state { return result }
                    state = .awaited(waiter)
                    return nil
                }
                if let known { waiter.resume(with: known) }
            }
        } onCancel: {
            give(.failure(CancellationError()))
        }
    }
}
