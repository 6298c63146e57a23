/// A session's lease as its own process reckons it: from before the last acknowledged beat was
/// sent. A beat whose answer never came extends nothing.
struct LocalLease {
    /// A time at which the lease was over because nothing had extended it.
    struct End {
        let boot: Double
        /// The last beat that was acknowledged before.
        let place: Place
    }

    struct Acknowledged {
        let sent: Double
        let arrived: Double
        let beat: Int
        let place: Place
        let sentPlace: Place
    }

    let acknowledged: [Acknowledged]
    let ends: [End]
    private let length: Double

    /// - Parameter length: lease − margin.
    init(
        opened: Event, events: [Event], process: ProcessStory, length: Double, tick: Double
    ) {
        self.length = length
        var sends: [Int: Event] = [:]
        var known = [
            Acknowledged(
                sent: opened.sent ?? opened.boot, arrived: opened.boot, beat: 0,
                place: opened.place, sentPlace: opened.place)
        ]
        for event in events {
            guard let number = event.number else { continue }
            if event.name == .beatSent { sends[number] = event }
            if event.name == .beatAnswered, let beat = event.beat, let sent = sends[number] {
                known.append(
                    Acknowledged(
                        sent: sent.boot, arrived: event.boot, beat: beat, place: event.place,
                        sentPlace: sent.place))
            }
        }
        acknowledged = known
        let expiries = events.filter { $0.name == .leaseExpired }.map(\.boot)
        ends = Self.ends(known, expiries, process, length, tick)
    }

    private static func ends(
        _ acknowledged: [Acknowledged], _ expiries: [Double], _ process: ProcessStory,
        _ length: Double, _ tick: Double
    ) -> [End] {
        var ends: [End] = []
        var newest = acknowledged[0].sent
        for (index, known) in acknowledged.enumerated() {
            newest = max(newest, known.sent)
            let end = newest + length
            guard index + 1 < acknowledged.count else {
                ends.append(End(boot: end, place: known.place))
                break
            }
            let next = acknowledged[index + 1].arrived
            guard next > end else { continue }
            // An answer's line is written after the answer was acted upon. Where no expiry was
            // logged and the line is no more than a tick late, the answer was in time.
            let expired = expiries.contains { $0 > known.arrived && $0 <= next }
            if expired || process.awake(from: end, to: next) > tick {
                ends.append(End(boot: end, place: known.place))
            }
        }
        return ends
    }

    /// When the right of a run that was claimed at a time ended. A late answer doesn't bring it
    /// back.
    func end(ofRunClaimedAt claimed: Double) -> End? {
        var newest: Double?
        for known in acknowledged where known.arrived <= claimed {
            newest = max(newest ?? known.sent, known.sent)
        }
        if let newest, newest + length < claimed {
            return ends.last { $0.boot <= claimed } ?? ends.first
        }
        return ends.first { $0.boot >= claimed }
    }
}
