import TenurePostgres

/// The enqueues of one open transaction: gathered, and run together just before COMMIT, so that
/// a subject is locked for a moment only and in one order.
package final class PendingEnqueues: GatheredValue {
    private struct State {
        var jobs: [NewJob] = []
        var isTaken = false
        /// What they came to, in their order.
        var answers: [EnqueuedJob] = []
        var sent: [JobID] = []
        var isCommitted = false
    }

    private let state = Lock(State())

    /// - Returns: where the first of them stands; nil when it is too late, because the others have
    ///   been handed over.
    func add(_ new: [NewJob]) -> Int? {
        state.withLock { state in
            if state.isTaken { return nil }
            defer { state.jobs += new }
            return state.jobs.count
        }
    }

    package var mark: Int { state.withLock { $0.jobs.count } }

    /// What a savepoint undoes, if it has not been handed over since.
    package func rollBack(to mark: Int) {
        state.withLock { state in
            if state.jobs.count > mark { state.jobs.removeSubrange(mark...) }
        }
    }

    /// Hands over what was gathered. What comes later is gathered anew, elsewhere.
    package func take() -> [NewJob] {
        state.withLock { state in
            if state.isTaken { return [] }
            defer { state.jobs = [] }
            state.isTaken = true
            state.sent = state.jobs.map(\.id)
            return state.jobs
        }
    }

    /// What the database has made of those that were handed over, in their order.
    package func answered(_ answers: [EnqueuedJob]) {
        state.withLock { $0.answers = answers }
    }

    func committed() { state.withLock { $0.isCommitted = true } }

    /// Nil before the commit. Another job may have the place of one that a savepoint undid.
    func outcome(of job: JobID, at place: Int) -> EnqueuedJob? {
        state.withLock { state in
            guard state.isCommitted, place < state.sent.count, state.sent[place] == job,
                state.answers.count == state.sent.count
            else { return nil }
            return state.answers[place]
        }
    }
}
