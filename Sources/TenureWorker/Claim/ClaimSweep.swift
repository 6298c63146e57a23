/// When to claim from the position and when from the head. A pure rule over measured costs.
///
/// From the head while that is cheap. Once a claim from the head takes longer than `cheap`, the
/// position is used, and the head is looked at again after twenty times what it last cost, so
/// that looking takes a twentieth of the time at most, and never more often than `rest`.
struct ClaimSweep: Sendable {
    static let cheap = Duration.milliseconds(10)
    static let rest = Duration.milliseconds(250)
    private(set) var position = ClaimPosition()
    private var headCost = Duration.zero
    private var headAt: ContinuousClock.Instant?

    /// Where the claim that starts now should begin: nil is the head.
    func start(at now: ContinuousClock.Instant) -> ClaimPosition? {
        restOfHead(at: now) > .zero ? position : nil
    }

    /// How long until a claim may look at the head again.
    func restOfHead(at now: ContinuousClock.Instant) -> Duration {
        guard headCost > Self.cheap, let headAt else { return .zero }
        return max(.zero, max(Self.rest, headCost * 20) - headAt.duration(to: now))
    }

    mutating func claimed(
        _ jobs: [ClaimedJob], fromHead: Bool, took: Duration, at now: ContinuousClock.Instant
    ) {
        for job in jobs { position.pass(job) }
        if fromHead {
            headCost = took
            headAt = now
        }
    }
}
