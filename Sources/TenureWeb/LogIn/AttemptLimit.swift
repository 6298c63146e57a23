/// How long those wait who have guessed wrong: some tries are free, then pauses double.
///
/// Each try counts as wrong from its beginning, so that many at once are no way around it.
struct AttemptLimit: Sendable {
    struct Rule: Sendable {
        /// Tries without a pause.
        let free: Int
        let longestPause: Duration
    }
    private struct Entry {
        var failures = 0
        var last: ContinuousClock.Instant
        var until: ContinuousClock.Instant
    }
    private let rule: Rule
    private var entries: [String: Entry] = [:]
    /// Whoever comes from everywhere drives out the oldest of what is remembered.
    private static let most = 10_000
    /// Then nothing is known any more of who has tried.
    private static let memory: Duration = .seconds(3600)

    init(_ rule: Rule) { self.rule = rule }

    /// How many are remembered.
    var count: Int { entries.count }

    /// - Returns: how long is to be waited yet; nil for who may try now, which counts.
    mutating func begin(_ key: String, at now: ContinuousClock.Instant) -> Duration? {
        var entry = entries[key] ?? Entry(last: now, until: now)
        if entry.last.duration(to: now) > Self.memory { entry.failures = 0 }
        if entry.until > now { return now.duration(to: entry.until) }
        entry.failures += 1
        entry.last = now
        entry.until = now + pause(after: entry.failures)
        if entries[key] == nil { makeRoom(at: now) }
        entries[key] = entry
        return nil
    }

    /// One of its tries was right, or there was none: that one counts no more.
    mutating func takeBack(_ key: String, at now: ContinuousClock.Instant) {
        guard var entry = entries[key] else { return }
        entry.failures -= 1
        entry.until = now
        entries[key] = entry.failures > 0 ? entry : nil
    }

    /// It was right: whoever else has tried is forgotten.
    mutating func forget(_ key: String) { entries[key] = nil }

    private func pause(after failures: Int) -> Duration {
        let paid = failures - rule.free
        guard paid >= 0 else { return .zero }
        return min(rule.longestPause, .seconds(1 << min(paid, 20)))
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard entries.count >= Self.most else { return }
        entries = entries.filter { $0.value.last.duration(to: now) <= Self.memory }
        guard entries.count >= Self.most else { return }
        // A tenth at a time: to look for the oldest has its price.
        let oldest = entries.sorted { $0.value.last < $1.value.last }.prefix(Self.most / 10)
        for (key, _) in oldest { entries[key] = nil }
    }
}
