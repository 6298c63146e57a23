import Tenure
import TenurePostgres

/// The worker's lease, as those see it who run under it. Runs may outlive the worker: they see
/// that there is none any more.
final class HeldLease: Sendable {
    private enum Holder {
        case nobody
        case keeper(SessionKeeper)
        case given(SessionID)
    }
    private let holder = Lock(Holder.nobody)

    /// The session whose lease is held at this moment, by the clock.
    var session: SessionID? {
        switch holder.withLock({ $0 }) {
        case .nobody: nil
        case .keeper(let keeper): keeper.session
        case .given(let session): session
        }
    }

    func kept(by keeper: SessionKeeper?) {
        holder.withLock { $0 = keeper.map { .keeper($0) } ?? .nobody }
    }

    /// Held until somebody says otherwise: there is no beat whose time could run out.
    func given(_ session: SessionID) { holder.withLock { $0 = .given(session) } }
}
