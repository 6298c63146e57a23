import Tenure
import TenurePostgres

/// What all runs of a worker share. They may outlive it.
final class RunServices: Sendable {
    let surroundings: Surroundings
    let observer: any EventObserver
    let lease: SessionLease
    /// What runs report, for the next beat.
    let progress: ProgressBoard
    let canceller = Canceller()
    private let parts = Lock<[ObjectIdentifier: any Sendable]>([:])

    init(
        _ surroundings: Surroundings, observer: any EventObserver, lease: SessionLease,
        progress: ProgressBoard
    ) {
        self.surroundings = surroundings
        self.observer = observer
        self.lease = lease
        self.progress = progress
    }

    /// What the runs of an owner have in common, made for the first of them.
    /// - Parameter make: what it makes has to hold on to the owner.
    func part<Part: Sendable>(of owner: AnyObject, _ make: () -> Part) -> Part {
        parts.withLock { parts in
            let name = ObjectIdentifier(owner)
            if let known = parts[name] as? Part { return known }
            let made = make()
            parts[name] = made
            return made
        }
    }
}
