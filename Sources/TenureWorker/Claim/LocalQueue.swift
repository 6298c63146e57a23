import Tenure
import TenurePostgres

/// A queue at this worker: what of it is claimed, waits and runs, and whom news of it wakes.
final class LocalQueue: Sendable {
    let name: QueueName
    let state: Lock<State>
    /// For the claims.
    let wake = Signal()
    /// For the slots, and what is noted for them.
    let slotsWake = Signal()

    init(_ name: QueueName, slots: Int, shared: SharedBuffer? = nil) {
        self.name = name
        var demand = ClaimDemand(slots: slots)
        demand.others = shared
        state = Lock(State(demand: demand, shared: shared))
    }

    /// It is known what a claim takes: the next one may go.
    func answered(_ request: ClaimRequest, _ glance: ClaimGlance) {
        state.withLock { state in
            state.open -= 1
            state.answered(request, glance)
        }
        wake.notify()
    }

    /// The ends of runs are written. After the last of a drain a claim says so at once: the next
    /// jobs may be long in coming.
    func endsWritten(isHeld: (RunRef) -> Bool) {
        let owes = state.withLock { state in
            guard state.isIdle else { return false }
            state.notes.log?.findHeld(isHeld)
            return state.owesOver
        }
        if owes { wake.notify() }
    }

    /// There may be something to claim.
    func wakeUp() {
        state.withLock {
            $0.isDrained = false
            $0.hasNews = true
            $0.vain = 0
        }
        wake.notify()
    }
}

extension [QueueName: LocalQueue] {
    /// - Parameter names: nil means all of them.
    func wakeUp(_ names: Set<QueueName>? = nil) {
        for queue in values where names?.contains(queue.name) ?? true { queue.wakeUp() }
    }
}
