import Tenure

/// What the workers say of themselves: counted, and never a reason to judge.
struct EventCollector: EventObserver {
    let process: SimulatedProcess
    let oracle: Oracle

    func observe(_ event: Event) {
        if process.isGone { return }
        let world = oracle.world
        world.trace.say(world.now, "  process \(process.number): \(event)")
        switch event {
        case .leaseExpired(let session):
            oracle.reached.add(.leaseExpired)
            oracle.expired.insert(session.rawValue)
        case .leaseRenewed(let session, _) where oracle.expired.contains(session.rawValue):
            oracle.reached.add(.leaseRegained)
        case .unknownCommitResolved(_, let committed):
            oracle.reached.add(committed ? .unknownCommitted : .unknownRolledBack)
        case .handedBack(_, let why) where why.hasPrefix("a claim's answer"):
            oracle.reached.add(.claimAnswerLost)
        default: break
        }
    }
}
