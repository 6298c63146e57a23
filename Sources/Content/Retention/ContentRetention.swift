/// How long what the product has seen is kept. Items, their versions and their targets stay; of an
/// item's fetches the last hundred do.
public struct ContentRetention: Sendable, Hashable {
    /// Checks, with what they visited, from their end on.
    public var checks: Duration = .days(90)
    /// Changes of targets' states.
    public var events: Duration = .days(365)
    /// Notices, whether they have arrived or not.
    public var notices: Duration = .days(365)
    /// Documents that were doubted, and that no later fetch has confirmed.
    public var candidates: Duration = .days(90)

    public init() {}

    /// What may be asked for: from a day to ten years.
    package static let range: ClosedRange<Duration> = .days(1) ... .days(3650)
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
