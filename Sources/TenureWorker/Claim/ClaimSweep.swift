// docs/decisions/claim-index.md

import Tenure

/// When to claim from the position and when from the head. A pure rule over measured costs.
///
/// From the head while that is cheap. Once a claim from the head takes longer than `cheap`, the
/// position is used, and the head is looked at again after forty times what it last cost, so that
/// looking takes a fortieth of the time, and never more often than `rest`. What the position has
/// passed by waits for that: no longer than `longestRest`, unless a tenth of the time is not enough
/// for it. Where one row speaks for a claim's jobs, the position is used at once: they stay in the
/// index until they are done. What a look costs is the lesser of the last two: a disk that stalled
/// for some seconds under one of them says nothing of the next.
struct ClaimSweep: Sendable {
    static let cheap = Duration.milliseconds(10)
    static let rest = Duration.milliseconds(250)
    static let longestRest = Duration.seconds(15)
    private(set) var position = ClaimPosition()
    /// The newest claim whose jobs are before the position.
    private(set) var passed = ClaimNumber.none
    /// One row speaks for the last claim's jobs: they are still in the index, at its head.
    private var isFolding = false
    private var lastCost = Duration.zero
    private var costBefore = Duration.zero
    private var headAt: ContinuousClock.Instant?
    /// The database's clock was set back: what falls due until then lies before the position.
    private var isAheadUntil: ContinuousClock.Instant?

    private var headCost: Duration { min(lastCost, costBefore) }

    /// Whether the position is used at all. What comes next is looked for from there, too: a look
    /// from the head costs as much as a claim from there, which follows anyway.
    func usesPosition(at now: ContinuousClock.Instant) -> Bool {
        (headCost > Self.cheap || isFolding) && isAheadUntil.map { now >= $0 } ?? true
    }

    /// Where the claim that starts now should begin: nil is the head.
    func start(at now: ContinuousClock.Instant) -> ClaimPosition? {
        restOfHead(at: now) > .zero ? position : nil
    }

    /// How long until a claim may look at the head again.
    func restOfHead(at now: ContinuousClock.Instant) -> Duration {
        guard usesPosition(at: now), let headAt else { return .zero }
        let rest = max(Self.rest, min(headCost * 40, max(Self.longestRest, headCost * 10)))
        return max(.zero, rest - headAt.duration(to: now))
    }

    /// The next claim begins behind it, and may be sent before this one's jobs are read.
    mutating func answered(_ glance: ClaimGlance, to request: ClaimRequest) {
        position.pass(glance)
        passed = max(passed, glance.number)
        isFolding = request.mayFold && glance.count >= ClaimRequest.leastFolded
    }

    /// A claim came to nothing, perhaps after the position had moved behind its jobs. The next one
    /// begins at the head, and passes over what claim rows are known to speak for.
    mutating func lost() { headAt = nil }

    /// Until the clock has come to where it was, all claims begin at the head. The position stays
    /// as it is: what claim rows of this session speak for is before it still.
    mutating func clockWasSetBack(by back: Duration, at now: ContinuousClock.Instant) {
        isAheadUntil = max(isAheadUntil ?? now, now + back)
    }

    mutating func claimed(
        by request: ClaimRequest, took: Duration, at now: ContinuousClock.Instant
    ) {
        if request.position == nil {
            (costBefore, lastCost) = (lastCost, took)
            headAt = now
        }
    }
}
