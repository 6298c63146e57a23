import Tenure

/// Holds a session that runs no jobs: there is nothing to renew, and nothing to cancel.
struct SessionOnly: SessionHolder {
    let wakeUp: @Sendable () -> Void
    let stop: @Sendable (_ whom: String) -> Void
    func runsToRenew() -> (runs: [RunRef], unknownSince: Fence) { ([], Fence(.max)) }
    func progressToTell() -> [ProgressNews] { [] }
    func progressUntold(_ news: [ProgressNews]) {}
    func verdicts(_ verdicts: [(run: RunRef, verdict: Verdict)]) {}
    func unknownRuns(_ runs: [RunRef]) {}
    func reclaimed(in queues: Set<QueueName>) {}
    func clockWasSetBack(by back: Duration) {}
    func sessionOpened(_ session: SessionID) { wakeUp() }
    func leaseExpired(_ session: SessionID) {}
    func sessionOver(_ session: SessionID) {}
    func stopAsked(by whom: String) { stop(whom) }
}
