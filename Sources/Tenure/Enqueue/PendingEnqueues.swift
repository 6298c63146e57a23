import TenurePostgres

/// The enqueues of one open transaction: gathered, and run together just before COMMIT, so that
/// a subject is locked for a moment only and in one order.
package final class PendingEnqueues: GatheredValue {
    private struct State {
        var jobs: [NewJob] = []
        var isTaken = false
        var wakeups: [Wakeup] = []
        var following: FollowingWakeups?
    }

    private let state = Lock(State())

    /// - Returns: false when it is too late, because they have been handed over.
    func add(_ new: [NewJob]) -> Bool {
        state.withLock { state in
            if !state.isTaken { state.jobs += new }
            return !state.isTaken
        }
    }

    package var mark: Int { state.withLock { $0.jobs.count } }

    /// What a savepoint undoes, if it has not been handed over since.
    package func rollBack(to mark: Int) {
        state.withLock { state in
            if state.jobs.count > mark { state.jobs.removeSubrange(mark...) }
        }
    }

    /// What takes the wake-ups along with the commit.
    var following: FollowingWakeups? {
        get { state.withLock { $0.following } }
        set { state.withLock { $0.following = newValue } }
    }

    /// Of the jobs that were handed over.
    var wakeups: [Wakeup] { state.withLock { $0.wakeups } }

    /// Hands over what was gathered. What comes later is gathered anew, elsewhere.
    package func take() -> [NewJob] {
        state.withLock { state in
            if state.isTaken { return [] }
            defer { state.jobs = [] }
            state.isTaken = true
            state.wakeups = Wakeup.after(state.jobs)
            return state.jobs
        }
    }
}
