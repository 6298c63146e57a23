/// Between which times an item of a site is fetched again.
public struct RefetchBounds: Sendable, Hashable {
    public var shortest: Duration = .seconds(3600)
    public var longest: Duration = .seconds(30 * 86_400)

    public init() {}

    static let range: ClosedRange<Duration> = .seconds(60) ... .seconds(365 * 86_400)

    /// As they were kept, in seconds; what can't be used counts as not said.
    init(shortestSeconds: Double?, longestSeconds: Double?) {
        if let shortestSeconds { shortest = Self.held(shortestSeconds) }
        if let longestSeconds { longest = Self.held(longestSeconds) }
        longest = max(shortest, longest)
    }

    /// - Throws: `ContentError` with `.badOption`, naming the bound.
    func validated() throws -> RefetchBounds {
        try Bounds.check("refetch-min", shortest, Self.range)
        try Bounds.check("refetch-max", longest, Self.range)
        try Bounds.check("refetch-max", longest, shortest...Self.range.upperBound)
        return self
    }

    func holding(_ time: Duration) -> Duration { min(max(time, shortest), longest) }

    private static func held(_ seconds: Double) -> Duration {
        min(max(.clamped(seconds: seconds), range.lowerBound), range.upperBound)
    }
}
