import Tenure

/// How many jobs to claim now, and when. A pure rule: free slots, and as many ahead as end in a
/// moment, so that the next claim's jobs are here before the last one is done. Nothing is taken
/// that can't be started within a fraction of the lease.
struct ClaimDemand: Sendable {
    /// Jobs ahead of the free slots are bounded by what ends in this time, or while two claims are
    /// answered, where that takes longer: many queues share a worker's connections.
    static let ahead = Duration.milliseconds(50)
    static let mostAhead = Duration.seconds(1)
    /// In one claim.
    static let most = 500
    /// One note names what begins within this time: of no-op jobs some hundred, so that it costs
    /// each of them next to nothing.
    static let moment = Duration.milliseconds(20)
    private static let momentInSeconds = moment / .seconds(1)
    private static let aheadInSeconds = ahead / .seconds(1)
    /// The rate is taken over no less than this.
    private static let shortestSpan = Duration.milliseconds(2)

    let slots: Int
    private var perSecond = 0.0
    private var countedSince: ContinuousClock.Instant?
    private var counted = 0
    private var answerTime = Duration.zero
    /// How far ahead is claimed: made when that changes, and read at every end.
    private var reachInSeconds = Self.aheadInSeconds

    init(slots: Int) { self.slots = slots }

    mutating func ended(_ count: Int, at now: ContinuousClock.Instant) {
        guard let since = countedSince else {
            countedSince = now
            return
        }
        counted += count
        let span = since.duration(to: now)
        guard span > Self.shortestSpan else { return }
        let rate = Double(counted) / (Double(span.nanoseconds) / 1e9)
        perSecond = perSecond * 0.5 + rate * 0.5
        counted = 0
        countedSince = now
    }

    mutating func claimed(in took: Duration) {
        answerTime = (answerTime + took) / 2
        reachInSeconds = min(max(Self.ahead, answerTime * 2), Self.mostAhead) / .seconds(1)
    }

    /// Jobs turned out slower than the rate promised: nothing is taken ahead until they are fast.
    mutating func slowDown() {
        perSecond = 0
        counted = 0
        countedSince = nil
    }

    /// - Parameters:
    ///   - running: handlers that have a slot.
    ///   - buffered: claimed jobs that wait for a slot, and those that are on their way.
    ///   - mayPrefetch: false for jobs with lanes, whose start is their claim.
    /// - Returns: 0 while there is enough.
    func wanted(running: Int, buffered: Int, mayPrefetch: Bool) -> Int {
        let free = slots - running
        let reach = mayPrefetch ? reach : 0
        // Half of the reach is a claim's time: what is left covers the claim's way and back.
        guard buffered < free || buffered < (reach + 1) / 2 else { return 0 }
        return min(free + reach - buffered, Self.most)
    }

    /// How many of so many wait for a slot.
    func ahead(of wanted: Int, running: Int, buffered: Int) -> Int {
        max(0, wanted - max(0, slots - running - buffered))
    }

    /// How many begin within the next moment: less and less the longer none has ended.
    func soon(at now: ContinuousClock.Instant) -> Int {
        guard let since = countedSince else { return 0 }
        let span = since.duration(to: now)
        var rate = perSecond
        if span > Self.moment {
            rate = min(rate, Double(counted + slots) / (Double(span.nanoseconds) / 1e9))
        }
        return Int(rate * Self.momentInSeconds)
    }

    private var reach: Int {
        // Three claims: one in hand, one on its way, one at the database.
        min(Int(perSecond * reachInSeconds), 3 * Self.most)
    }
}
