import TenurePostgres

/// A session's lease, as everything sees it that works under it. Its keeper counts it on; whoever
/// else holds it only looks, or asks for a beat, and may outlive the keeper.
package final class SessionLease: Sendable {
    /// For the keeper alone.
    let clock: Lock<LeaseClock>
    let beatNow = Signal()
    private let time: any Timekeeper

    package init(_ rule: LeaseRule, on time: any Timekeeper) {
        clock = Lock(LeaseClock(rule: rule))
        self.time = time
    }

    /// The session whose lease is held right now, by the clock and not by a flag.
    package var session: SessionID? { session(at: time.now) }

    /// - Parameter now: read this very moment.
    package func session(at now: ContinuousClock.Instant) -> SessionID? {
        clock.withLock { $0.isHeld(at: now) ? $0.session : nil }
    }

    /// Asks for a beat, and so for verdicts, at once.
    package func beatSoon() { beatNow.notify() }

    /// Held for a century: of a session that no keeper beats for.
    package func hold(_ session: SessionID) {
        let sent = time.now + .seconds(100 * 365 * 86_400)
        clock.withLock { $0.opened(session, sent: sent) }
    }
}
