import TenurePostgres

/// The claims that are under way, by number: a run that the database has and we don't may be in
/// the answer of one of them.
final class OpenClaims: Sendable {
    private struct State {
        var last: UInt64 = 0
        var open: Set<UInt64> = []
        var mayHaveLostRuns = false
    }
    private let state = Lock(State())

    func begin() -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.open.insert(state.last)
            return state.last
        }
    }

    func end(_ claim: UInt64) { _ = state.withLock { $0.open.remove(claim) } }

    /// A claim ended without an answer: the database may have given us runs we don't know.
    var mayHaveLostRuns: Bool {
        get { state.withLock { $0.mayHaveLostRuns } }
        set { state.withLock { $0.mayHaveLostRuns = newValue } }
    }

    /// The newest claim that has begun.
    var last: UInt64 { state.withLock { $0.last } }

    /// Whether every claim has been answered, or lost, that began up to `last`.
    func haveEnded(upTo last: UInt64) -> Bool {
        state.withLock { $0.open.allSatisfy { $0 > last } }
    }
}
