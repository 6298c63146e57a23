/// What an enqueue does about the jobs that its key has already.
public struct KeyMode: Sendable {
    package enum Way: String, Sendable, CaseIterable {
        case superseding, coalescing, keeping, debounced
    }

    package let way: Way
    package let key: String
    package var overlap = true
    package var interval: Duration?
    package var maxWait: Duration?
    package var within: Duration?

    /// Raise the key's floor: what is pending is retired, what runs is stopped, and whatever
    /// older generations still bring is discarded.
    /// - Parameter overlap: whether the new job may start while the old one is letting go.
    public static func superseding(_ key: String, overlap: Overlap = .allowed) -> KeyMode {
        KeyMode(way: .superseding, key: key, overlap: overlap == .allowed)
    }

    /// Let the running one commit and keep exactly one successor, with the newest payload.
    public static func coalescing(_ key: String) -> KeyMode {
        KeyMode(way: .coalescing, key: key)
    }

    /// A unique job: if the key has an unfinished one, that one is returned and nothing is added.
    /// - Parameter within: completed ones count, too. Nothing is added so long after the enqueue of
    ///   the key's newest completed job that was enqueued with such a time; that one is returned.
    ///   One that was discarded, cancelled or superseded makes way for a new one. Each enqueue says
    ///   how far it looks back, by the database's clock; what a job brought along itself is how
    ///   long it is remembered.
    public static func keeping(_ key: String, within: Duration? = nil) -> KeyMode {
        KeyMode(way: .keeping, key: key, within: within)
    }

    /// Move the pending job's run time to now + `interval` and replace its payload, never past
    /// its first enqueue + `maxWait`. While one runs it is coalescing.
    public static func debounced(
        _ key: String, interval: Duration, maxWait: Duration? = nil
    ) -> KeyMode {
        KeyMode(way: .debounced, key: key, interval: interval, maxWait: maxWait)
    }

    /// Whether two runs of one key may exist for a moment, the older one cancelled.
    public enum Overlap: Sendable { case allowed, forbidden }
}
