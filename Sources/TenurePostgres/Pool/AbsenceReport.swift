/// What is said of a server that can't be reached: at once, then once a minute with a count, and
/// once when it is back. Tries that fail many times a second would drown all else in the log.
struct AbsenceReport {
    enum Line: Equatable {
        case away
        case stillAway(tries: Int, since: Duration)
        case back(tries: Int, after: Duration)
    }

    private static let interval = Duration.seconds(60)
    private var since: ContinuousClock.Instant?
    private var tries = 0
    private var saidAt: ContinuousClock.Instant?
    /// Whether anybody has read of the absence that goes on.
    private var isTold = false

    /// - Returns: what to say of a try that failed, if anything.
    mutating func failed(at now: ContinuousClock.Instant) -> Line? {
        tries += 1
        let begin = since ?? now
        since = begin
        // Also across an absence that was over in between: a server that takes some connections and
        // refuses others is one piece of news a minute.
        if let saidAt, saidAt.duration(to: now) < Self.interval { return nil }
        defer { (saidAt, isTold) = (now, true) }
        return isTold ? .stillAway(tries: tries, since: begin.duration(to: now)) : .away
    }

    /// - Returns: what to say of a try that succeeded, if anything.
    mutating func succeeded(at now: ContinuousClock.Instant) -> Line? {
        defer { (since, tries, isTold) = (nil, 0, false) }
        guard isTold, let since else { return nil }
        return .back(tries: tries, after: since.duration(to: now))
    }
}
