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

    package init() {}

    /// Takes in one complete answer and returns those that have stood still for a whole lease,
    /// with the beat they stood still at.
    package mutating func see(
        _ peers: [(session: SessionID, beat: Int64, lease: Duration)], at now: Instant
    ) -> [(session: SessionID, beat: Int64)] {
        var silent: [(session: SessionID, beat: Int64)] = []
        var seen: [SessionID: Sighting] = [:]
        for peer in peers {
            guard let sighting = sightings[peer.session], sighting.beat == peer.beat else {
                seen[peer.session] = Sighting(beat: peer.beat, since: now)
                continue
            }
            seen[peer.session] = sighting
            if sighting.since.duration(to: now) >= peer.lease {
                silent.append((peer.session, peer.beat))
            }
        }
        sightings = seen
        return silent
    }
}
