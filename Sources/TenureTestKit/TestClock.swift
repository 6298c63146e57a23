import Tenure
import TenurePostgres

/// A clock that stands still until it is told to go on.
///
/// Give it to a `TestRun`, for its timeout, and to your own code that takes a `Clock`. It counts
/// like the worker's, on the continuous clock, from the moment it is made. The database's clock,
/// by which jobs become due, is another: see `TestQueue.drain(_:ahead:limit:)`.
public final class TestClock: Clock {
    public typealias Instant = ContinuousClock.Instant

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }
    private struct State {
        var now: Instant
        var last: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Lock(State(now: .now))

    public init() {}

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Returns when the clock has been put forward to the deadline; at once when it is there.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isOver, waiters) = state.withLock { state in
                    if state.now >= deadline || Task.isCancelled {
                        return (true, [CheckedContinuation<Void, Never>]())
                    }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    defer { state.waiters = [] }
                    return (false, state.waiters)
                }
                if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) }
                for waiter in waiters { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?
                .continuation.resume(throwing: CancellationError())
        }
    }

    /// Puts the clock forward, and wakes those whose time has come. They run when they are
    /// scheduled: wait for what they do, not for the return.
    public func advance(by step: Duration) {
        let woken = state.withLock { state in
            state.now += step
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Returns as soon as somebody sleeps on this clock: before that `advance` wakes nobody. A
    /// job's timeout sleeps on it from the handler's start.
    public func untilSomebodySleeps() async {
        await withCheckedContinuation { continuation in
            let isSlept = state.withLock { state in
                if state.sleepers.isEmpty { state.waiters.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isSlept { continuation.resume() }
        }
    }
}

extension TestClock: Timekeeper {
    package func sleep(until deadline: Instant) async throws {
        try await sleep(until: deadline, tolerance: nil)
    }
}
