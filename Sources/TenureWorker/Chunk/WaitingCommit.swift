import Tenure
import TenurePostgres

/// A run's commit in a gatherer: the handler's task waits here until it is told how it went, and
/// meanwhile may be called to carry out a chunk's.
final class WaitingCommit<Value: Sendable>: Sendable {
    enum Call: Sendable {
        /// Commit these, and tell them.
        case lead(Chunk<Value>)
        case answer(Result<RunOutcome, any Error>)
    }
    private struct State {
        var calls: [Call] = []
        var waiter: UnsafeContinuation<Call, Never>?
    }

    let run: Run
    let outcome: JobOutcome
    let value: Value
    /// Set by every call: for the wait for others, which ends with it.
    let isCalled = Signal()
    private let state = Lock(State())

    var ref: RunRef { run.ref }
    var name: ObjectIdentifier { ObjectIdentifier(self) }

    init(_ run: Run, _ outcome: JobOutcome, _ value: Value) {
        self.run = run
        self.outcome = outcome
        self.value = value
    }

    func call(_ call: Call) {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.calls.append(call) }
            return state.waiter
        }
        isCalled.notify()
        waiter?.resume(returning: call)
    }

    func fail(_ error: any Error) { call(.answer(.failure(error))) }

    /// Waits also when the task is cancelled: whoever leaves is answered.
    func next() async -> Call {
        await withUnsafeContinuation { continuation in
            let call: Call? = state.withLock { state in
                if !state.calls.isEmpty { return state.calls.removeFirst() }
                state.waiter = continuation
                return nil
            }
            if let call { continuation.resume(returning: call) }
        }
    }
}

/// Runs that commit together.
final class Chunk<Value: Sendable>: Sendable {
    /// The first one's task carries it out.
    let members: [WaitingCommit<Value>]
    /// How often the same ones have gone together in vain.
    let rounds: Int
    /// Somebody has to leave: what isn't committed by now is taken back.
    let withdrawal = Signal()

    init(_ members: [WaitingCommit<Value>], rounds: Int = 0) {
        self.members = members
        self.rounds = rounds
    }
}
