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
    private let tick: Double

    /// - Parameter length: lease − margin.
    init(
        opened: Event, events: [Event], process: ProcessStory, length: Double, tick: Double
    ) {
        self.length = length
        self.tick = tick
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

    /// When a run's right ended. A late answer doesn't bring it back.
    ///
    /// A run whose claim was answered while nothing was held waits, with no right that could end:
    /// it may start once a beat has brought the lease back, and its right ends with that.
    func end(of run: Run) -> End? {
        guard let claimed = run.claimed ?? run.started else { return nil }
        let isKept = acknowledged.contains { beat in
            beat.arrived <= claimed.boot && beat.sent + length >= claimed.boot
        }
        // The answer's line is written after the answer was acted upon.
        let isBack = acknowledged.contains { beat in
            beat.arrived > claimed.boot
                && beat.arrived <= (run.started?.boot ?? claimed.boot) + tick
        }
        if isKept || isBack { return ends.first { $0.boot >= claimed.boot } }
        return ends.last { $0.boot <= claimed.boot } ?? ends.first
    }
}
