import Tenure
import TenurePostgres

/// One run's right to go on: held until somebody ends it, once, with a reason.
///
/// Its waiter is the attempt's guard. Ending it never waits, and is safe from any thread.
package final class RunRight: Sendable {
    private enum State {
        case held
        case awaited(CheckedContinuation<EndReason?, Never>)
        case ended(EndReason)
        case released
    }
    private let state = Lock(State.held)
    private let endedReason = Lock<EndReason?>(nil)

    /// The first reason, once there is one.
    package var reason: EndReason? { endedReason.withLock { $0 } }

    /// Returns whether this was the end: a later reason changes nothing.
    @discardableResult
    func end(_ reason: EndReason) -> Bool {
        var waiter: CheckedContinuation<EndReason?, Never>?
        let isFirst = state.withLock { state in
            switch state {
            case .ended, .released: return false
            case .awaited(let continuation): waiter = continuation
            case .held: break
            }
            state = .ended(reason)
            endedReason.withLock { $0 = reason }
            return true
        }
        waiter?.resume(returning: reason)
        return isFirst
    }

    /// The run let go by itself: the guard returns nil.
    func release() {
        let waiter: CheckedContinuation<EndReason?, Never>? = state.withLock { state in
            switch state {
            case .awaited(let continuation):
                state = .released
                return continuation
            case .held: state = .released
            default: break
            }
            return nil
        }
        waiter?.resume(returning: nil)
    }

    /// The guard: waits for the end of the right, or for the run to let go (nil).
    func wait() async -> EndReason? {
        await withCheckedContinuation { continuation in
            let known: EndReason?? = state.withLock { state in
                switch state {
                case .held:
                    state = .awaited(continuation)
                    return nil
                case .ended(let reason): return .some(reason)
                case .released, .awaited: return .some(nil)
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
