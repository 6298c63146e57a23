/// Watches the beats of other sessions on one's own continuous clock. A pure state machine: the
/// caller brings the time.
///
/// A session may be declared dead when its beat has stood still for its whole lease, counted
/// from the moment the answer that first showed this beat *arrived*: the beat was sent before.
package struct PeerWatch<Instant: InstantProtocol>: Sendable
where Instant.Duration == Duration, Instant: Sendable {
    private struct Sighting: Sendable {
        var beat: Int64
        var since: Instant
    }

    private var sightings: [SessionID: Sighting] = [:]
    private var lastAnswer: Instant?
    private let longestGap: Duration
    /// When a peer that stays silent can be judged.
    package private(set) var nextDecision: Instant?

    /// - Parameter longestGap: between two answers. After a longer one nobody could beat, or we
    ///   slept: silence is counted anew, or whoever is back first would declare all others dead.
    package init(longestGap: Duration) { self.longestGap = longestGap }

    /// Takes in one complete answer and returns those that have stood still for a whole lease,
    /// with the beat they stood still at.
    package mutating func see(
        _ peers: [(session: SessionID, beat: Int64, lease: Duration)], at now: Instant
    ) -> [(session: SessionID, beat: Int64)] {
        var silent: [(session: SessionID, beat: Int64)] = []
        var seen: [SessionID: Sighting] = [:]
        if let lastAnswer, lastAnswer.duration(to: now) > longestGap { sightings = [:] }
        lastAnswer = now
        nextDecision = nil
        for peer in peers {
            var sighting = Sighting(beat: peer.beat, since: now)
            if let earlier = sightings[peer.session], earlier.beat == peer.beat {
                sighting = earlier
            }
            seen[peer.session] = sighting
            let decision = sighting.since.advanced(by: peer.lease)
            nextDecision = min(nextDecision ?? decision, decision)
            if decision <= now { silent.append((peer.session, peer.beat)) }
        }
        sightings = seen
        return silent
    }
}
