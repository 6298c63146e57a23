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
    /// Slots that become free wait no longer for others to go with in one claim.
    static let longestGathering = Duration.milliseconds(5)
    private static let momentInSeconds = moment / .seconds(1)
    private static let aheadInSeconds = ahead / .seconds(1)
    /// The rate is taken over no less than this.
    private static let shortestSpan = Duration.milliseconds(2)

    let slots: Int
    private var perSecond = 0.0
    private var countedSince: ContinuousClock.Instant?
    private var counted = 0
    private var answerTime = Duration.zero
    private var sentAt: ContinuousClock.Instant?
    /// How far ahead is claimed: made when that changes, and read at every end.
    private var reachInSeconds = Self.aheadInSeconds
    /// How long a job has its slot.
    private var runTime = Duration.zero
    /// Other queues of the process have their own share of the time: what ends here in a second
    /// says how often this queue comes by, not how fast it is. Then what its slots could do counts.
    /// Of a queue of which none has ended yet, theirs say how fast it may be, for a few.
    var others: SharedBuffer?

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

    mutating func claims(at now: ContinuousClock.Instant) { sentAt = now }

    mutating func claimed(in took: Duration) {
        answerTime = (answerTime + took) / 2
        reachInSeconds = min(max(Self.ahead, answerTime * 2), Self.mostAhead) / .seconds(1)
    }

    mutating func ran(for time: Duration) {
        runTime = runTime == .zero ? time : (runTime * 7 + time) / 8
        others?.ran(for: time)
    }

    /// Jobs turned out slower than the rate promised: nothing is taken ahead until they are fast.
    mutating func slowDown() {
        perSecond = 0
        runTime = Self.mostAhead
        counted = 0
        countedSince = nil
    }

    /// - Parameters:
    ///   - running: handlers that have a slot.
    ///   - buffered: claimed jobs that wait for a slot, and those that are on their way.
    ///   - mayPrefetch: false for jobs with lanes, whose start is their claim, and where the
    ///     process has enough ahead.
    /// - Returns: 0 while there is enough.
    func wanted(running: Int, buffered: Int, mayPrefetch: Bool) -> Int {
        let free = slots - running
        let reach = mayPrefetch ? reach : 0
        // Half of the reach is a claim's time: what is left covers the claim's way and back.
        guard buffered < free || buffered < (reach + 1) / 2 else { return 0 }
        return min(free + reach - buffered, Self.most)
    }

    /// Until when a claim waits so that more slots become free meanwhile; nil where it goes at
    /// once. Where jobs start with their claim and a worker is busy, each end would make a claim of
    /// one; so the next goes when half of the slots are free, or the last one was sent twice as
    /// long ago as an answer takes. What that costs a slot is a few milliseconds at most, and
    /// nothing where claims are seldom.
    func gathers(_ wanted: Int, mayPrefetch: Bool, at now: ContinuousClock.Instant)
        -> ContinuousClock.Instant?
    {
        guard !mayPrefetch, wanted < slots / 2, let sentAt else { return nil }
        let turn = sentAt + min(answerTime * 2, Self.longestGathering)
        return turn > now ? turn : nil
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
        let ends = Int(perSecond * reachInSeconds)
        // Three claims: one in hand, one on its way, one at the database.
        guard let others else { return min(ends, 3 * Self.most) }
        let isKnown = runTime > .zero
        let time = isKnown ? runTime : others.usualRunTime
        guard time > .zero else { return min(ends, 3 * Self.most) }
        let most = Double(isKnown ? Self.most : min(4 * slots, Self.most))
        let could = Int(min(Double(slots) * (Self.ahead / time), most))
        return min(max(ends, could), 3 * Self.most)
    }
}
