import Tenure
import TenurePostgres

/// The worker's lease, as those see it who run under it. Runs may outlive the worker: they see
/// that there is none any more.
final class HeldLease: Sendable {
    private let keeper = Lock<SessionKeeper?>(nil)

    /// The session whose lease is held at this moment, by the clock.
    var session: SessionID? { keeper.withLock { $0 }?.session }

    func kept(by keeper: SessionKeeper?) { self.keeper.withLock { $0 = keeper } }
}
