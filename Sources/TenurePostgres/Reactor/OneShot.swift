/// A value that is decided once and awaited by one task.
///
/// Whoever decides first wins, and everyone is told whether they did: a connection handed to a
/// waiter that has just given up comes back to the giver.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(UnsafeContinuation<Value, any Error>)
        case decided(Result<Value, any Error>)
        case taken
    }

    private let state = Lock(State.open)

    /// - Returns: true when this call decided; false when it was too late.
    @discardableResult
    func decide(_ result: Result<Value, any Error>) -> Bool {
        let (won, waiter) = state.withLock { state in
            switch state {
            case .open:
                state = .decided(result)
                return (true, UnsafeContinuation<Value, any Error>?.none)
            case .awaited(let continuation):
                state = .taken
                return (true, continuation)
            case .decided, .taken:
                return (false, nil)
            }
        }
        waiter?.resume(with: result)
        return won
    }

    /// Waits; on cancellation the value is decided as `CancellationError` at once.
    func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let ready: Result<Value, any Error>? = state.withLock { state in
                    if case .decided(let result) = state {
                        state = .taken
                        return result
                    }
                    state = .awaited(continuation)
                    return nil
                }
                if let ready { continuation.resume(with: ready) }
            }
        } onCancel: {
            decide(.failure(CancellationError()))
        }
    }
}
