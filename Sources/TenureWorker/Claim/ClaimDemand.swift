import Tenure

/// How many jobs to claim now. A pure rule: free slots, and a little ahead when jobs are fast,
/// so that the next batch is here when the last one is done. Nothing is taken that can't be
/// started within a fraction of the lease.
struct ClaimDemand: Sendable {
    /// Jobs ahead of the free slots are bounded by what ends in this time.
    static let ahead = Duration.milliseconds(50)
    static let most = 500

    let slots: Int
    private var perSecond = 0.0
    private var countedSince: ContinuousClock.Instant?
    private var counted = 0

    init(slots: Int) { self.slots = slots }

    mutating func ended(_ count: Int, at now: ContinuousClock.Instant) {
        guard let since = countedSince else {
            countedSince = now
            return
        }
        counted += count
        let span = since.duration(to: now)
        guard span > .milliseconds(20) else { return }
        let rate = Double(counted) / (Double(span.nanoseconds) / 1e9)
        perSecond = perSecond * 0.5 + rate * 0.5
        counted = 0
        countedSince = now
    }

    /// Jobs turned out slower than the rate promised: nothing is taken ahead until they are fast.
    mutating func slowDown() {
        perSecond = 0
        counted = 0
        countedSince = nil
    }

    /// - Parameters:
    ///   - running: handlers that have a slot.
    ///   - buffered: claimed jobs that wait for a slot.
    ///   - mayPrefetch: false for jobs with lanes, whose start is their claim.
    func wanted(running: Int, buffered: Int, mayPrefetch: Bool) -> Int {
        let free = slots - running
        let reach = mayPrefetch ? Int(perSecond * Double(Self.ahead.nanoseconds) / 1e9) : 0
        return min(max(0, free + reach - buffered), Self.most)
    }
}
