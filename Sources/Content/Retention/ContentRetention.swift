/// How long what the product has seen is kept. Items and their targets stay, and of an item's
/// versions the newest; of an item's fetches the last hundred do. A body stays while something
/// refers to it.
public struct ContentRetention: Sendable, Hashable {
    /// Checks, with what they visited, from their end on.
    public var checks: Duration = .seconds(90 * 86_400)
    /// Changes of targets' states.
    public var events: Duration = .seconds(365 * 86_400)
    /// Notices, whether they have arrived or not.
    public var notices: Duration = .seconds(365 * 86_400)
    /// Documents that were doubted, and that no later fetch has confirmed.
    public var candidates: Duration = .seconds(90 * 86_400)
    /// Versions of an item, from when another took their place.
    public var versions: Duration = .seconds(365 * 86_400)
    /// How many versions of an item there are at most, however young.
    public var versionsPerItem = 1000

    public init() {}

    /// What may be asked for: from a day to ten years.
    package static let range: ClosedRange<Duration> = .seconds(86_400) ... .seconds(3650 * 86_400)
    /// Of notices: as long as they are sent again and again, and some days more.
    package static let rangeOfNotices: ClosedRange<Duration> =
        .seconds(7 * 86_400) ... .seconds(3650 * 86_400)
    package static let rangeOfVersions = 1...1_000_000
}
