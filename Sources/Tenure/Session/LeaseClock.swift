/// A session's right, as its own process counts it. A pure state machine.
///
/// Counted from before the last *acknowledged* beat was sent: a beat with an unknown outcome
/// extends nothing.
package struct LeaseClock: Sendable {
    package enum State: Sendable, Equatable {
        case none
        case held(SessionID, sent: ContinuousClock.Instant)
        /// Cancelled by our own clock; the session may live on in the database.
        case expired(SessionID)
    }

    package let rule: LeaseRule
    package private(set) var state = State.none

    package init(rule: LeaseRule) { self.rule = rule }

    package var session: SessionID? {
        switch state {
        case .none: nil
        case .held(let session, _), .expired(let session): session
        }
    }

    /// When the attempts have to be cancelled, unless a beat is acknowledged before.
    package var cancelTime: ContinuousClock.Instant? {
        guard case .held(_, let sent) = state else { return nil }
        return rule.cancelTime(sent: sent)
    }

    package func isHeld(at now: ContinuousClock.Instant) -> Bool {
        cancelTime.map { now < $0 } ?? false
    }

    package mutating func opened(_ session: SessionID, sent: ContinuousClock.Instant) {
        state = .held(session, sent: sent)
    }

    /// A beat sent at `sent` was acknowledged. It counts even after an expiry: the session lives.
    /// Returns whether an expired lease is held again.
    package mutating func renewed(_ session: SessionID, sent: ContinuousClock.Instant) -> Bool {
        guard self.session == session else { return false }
        if case .held(_, let earlier) = state, earlier > sent { return false }
        let isRegained = state == .expired(session)
        state = .held(session, sent: sent)
        return isRegained
    }

    /// Returns whether the lease has just run out.
    package mutating func expires(at now: ContinuousClock.Instant) -> Bool {
        guard case .held(let session, _) = state, !isHeld(at: now) else { return false }
        state = .expired(session)
        return true
    }

    package mutating func ended() { state = .none }
}
