import TenurePostgres

/// Wake-ups that go out on the heels of the commit they tell of: on its connection, before its
/// answer has reached anyone.
final class FollowingWakeups: Sendable {
    private enum State { case waiting, handedOver, failed, settled }

    private let notifier: Notifier
    private let wakeups: [Wakeup]
    private let state = Lock(State.waiting)

    /// Nil where others have just gone: these are sent after the commit then.
    init?(_ notifier: Notifier, _ wakeups: [Wakeup]) {
        guard notifier.mayFollow() else { return nil }
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
        case .success(let took): notifier.followed(took)
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

/// The wake-ups of one transaction: they go on the heels of its commit where they can, and are sent
/// after it where they can't.
final class CommitWakeups: Sendable {
    private struct State {
        var wakeups: [Wakeup] = []
        var following: FollowingWakeups?
    }

    private let notifier: Notifier
    private let state = Lock(State())

    init(_ notifier: Notifier) { self.notifier = notifier }

    /// To be called just before the commit.
    ///
    /// - Throws: when they don't fit into a statement.
    func go(_ wakeups: [Wakeup], with transaction: PostgresTransaction) throws {
        state.withLock { $0.wakeups = wakeups }
        guard let following = FollowingWakeups(notifier, wakeups),
            let follower = try following.follower(), transaction.follow(commitWith: follower)
        else { return }
        state.withLock { $0.following = following }
    }

    /// To be called after the commit: sends those that have not gone with it.
    func sendRest() async {
        let (wakeups, following) = state.withLock { ($0.wakeups, $0.following) }
        if following?.isStillToBeSent() ?? true { await notifier.send(wakeups) }
    }
}
