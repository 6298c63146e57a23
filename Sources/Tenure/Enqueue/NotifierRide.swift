import TenurePostgres

/// Wake-ups that go out on the heels of the commit they tell of: on its connection, before its answer
/// has reached anyone.
final class NotifierRide: Sendable {
    private enum State { case waiting, handedOver, failed, settled }

    private let notifier: Notifier
    private let wakeups: [Wakeup]
    private let state = Lock(State.waiting)

    init(_ notifier: Notifier, _ wakeups: [Wakeup]) {
        self.notifier = notifier
        self.wakeups = wakeups
    }

    /// To be given to the commit; nil after the first time.
    ///
    /// - Throws: when they don't fit into a statement.
    func follower() throws -> PostgresFollower? {
        guard case .waiting = state.withLock({ $0 }) else { return nil }
        let follower = try PostgresFollower(Notify(wakeups: wakeups)) { self.end($0) }
        state.withLock { $0 = .handedOver }
        return follower
    }

    /// To be called after the commit.
    ///
    /// - Returns: whether its wake-ups still have to be sent. From here on a failure sends them.
    func isStillToBeSent() -> Bool {
        state.withLock { state in
            guard case .handedOver = state else { return true }
            state = .settled
            return false
        }
    }

    private func end(_ result: Result<Duration, any Error>) {
        switch result {
        case .success(let took): notifier.rode(took)
        case .failure:
            let isSettled = state.withLock { state in
                defer { state = .failed }
                if case .settled = state { return true }
                return false
            }
            if isSettled { notifier.leave(wakeups) }
        }
    }
}
