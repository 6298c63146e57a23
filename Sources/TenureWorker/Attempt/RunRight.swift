package import Tenure
import TenurePostgres

/// One run's right to go on: held until somebody ends it, once, with a reason.
///
/// While the handler runs, the end of its right cancels the task it runs in, and so all that it
/// has started. The cancellation is delivered by the `Canceller`, not by whoever ends the right:
/// the handler's own cancellation code runs with it, and the heartbeat must not wait for that.
/// Ending a right never waits, and is safe from any thread.
package final class RunRight: Sendable {
    private enum Phase {
        /// No handler runs yet: there is nothing to cancel.
        case waiting
        case running(RunningTask)
        /// The cancellation is being delivered; the run waits for that before its task goes on.
        case delivering(UnsafeContinuation<Void, Never>?)
        case delivered
        /// The handler has returned: its task is another run's, or nobody's.
        case released
    }
    private struct State {
        var phase = Phase.waiting
        var reason: EndReason?
        var course = Run.Course()
    }
    private let state = Lock(State())
    private let canceller: Canceller

    init(_ canceller: Canceller) { self.canceller = canceller }

    /// What its run has come to so far, kept under the same lock: there are many of them.
    func withCourse<Result>(_ body: (inout Run.Course) -> Result) -> Result {
        state.withLock { body(&$0.course) }
    }

    /// The first reason, once there is one.
    package var reason: EndReason? { state.withLock { $0.reason } }

    /// Returns whether this was the end: a later reason changes nothing, nor does any after the
    /// handler has returned.
    @discardableResult
    package func end(_ reason: EndReason) -> Bool {
        let (isFirst, runs) = state.withLock { state in
            if state.reason != nil { return (false, false) }
            if case .released = state.phase { return (false, false) }
            state.reason = reason
            if case .running = state.phase { return (true, true) }
            return (true, false)
        }
        if runs { canceller.take(self) }
        return isFirst
    }

    /// From here on the right's end cancels the current task.
    /// - Returns: false when it has ended already: nothing may start.
    func begin() -> Bool {
        withUnsafeCurrentTask { task in
            guard let task else { return false }
            return state.withLock { state in
                guard state.reason == nil else { return false }
                state.phase = .running(RunningTask(task))
                return true
            }
        }
    }

    /// Cancels the run's task, unless it has let go meanwhile.
    func deliver() {
        let running: RunningTask? = state.withLock { state in
            guard case .running(let running) = state.phase else { return nil }
            state.phase = .delivering(nil)
            return running
        }
        guard let running else { return }
        running.cancel()
        let waiter: UnsafeContinuation<Void, Never>? = state.withLock { state in
            defer { state.phase = .delivered }
            if case .delivering(let waiter) = state.phase { return waiter }
            return nil
        }
        waiter?.resume()
    }

    /// The handler has returned. Afterwards no end of this right reaches its task.
    func release() async {
        let isDelivering = state.withLock { state in
            if case .delivering = state.phase { return true }
            state.phase = .released
            return false
        }
        if isDelivering { await waitForDelivery() }
    }

    /// The task must outlive the call that cancels it.
    private func waitForDelivery() async {
        await withUnsafeContinuation { continuation in
            let isOver = state.withLock { state in
                if case .delivering = state.phase {
                    state.phase = .delivering(continuation)
                    return false
                }
                return true
            }
            if isOver { continuation.resume() }
        }
        state.withLock { $0.phase = .released }
    }
}

/// The task that a handler runs in, as somebody else may cancel it.
///
/// Sound because the right lets go of it before the task ends (`release`), and because `cancel` is
/// one of the calls that any thread may make.
private struct RunningTask: @unchecked Sendable {
    private let task: UnsafeCurrentTask

    init(_ task: UnsafeCurrentTask) { self.task = task }

    func cancel() { task.cancel() }
}

/// Delivers cancellations to handlers, on the worker's own thread: one that waits for the pool
/// would come late where handlers hog it.
struct Canceller: Sendable {
    private let ended = Inbox<RunRight>()

    /// A running handler's right has ended. Never waits.
    func take(_ right: RunRight) { ended.put(CollectionOfOne(right)) }

    /// Runs until cancelled, which must not be before the last handler has returned.
    func run() async {
        while !Task.isCancelled {
            for right in await ended.takeAll() { right.deliver() }
        }
    }
}
