import TenurePostgres

/// The enqueues of one open transaction: gathered, and run together just before COMMIT, so that
/// a subject is locked for a moment only and in one order.
package final class PendingEnqueues: Sendable {
    private struct State {
        var jobs: [NewJob] = []
        var isTaken = false
        var ride: NotifierRide?
    }

    private let state = Lock(State())

    /// - Returns: false when it is too late, because they have been handed over.
    func add(_ new: [NewJob]) -> Bool {
        state.withLock { state in
            if !state.isTaken { state.jobs += new }
            return !state.isTaken
        }
    }

    /// What takes the wake-ups along with the commit.
    var ride: NotifierRide? {
        get { state.withLock { $0.ride } }
        set { state.withLock { $0.ride = newValue } }
    }

    /// Hands over what was gathered. What comes later is gathered anew, elsewhere.
    package func take() -> [NewJob] {
        state.withLock { state in
            defer { state.jobs = [] }
            state.isTaken = true
            return state.jobs
        }
    }
}
