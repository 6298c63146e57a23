import Tenure
import TenureFoundation

/// What an item's next fetch is decided by, as its row has it.
struct ItemPace: Sendable, Hashable {
    private let item: UUID
    private let policy: RefetchPolicy
    private let memory: RefetchPolicy.Memory
    /// Nobody has looked at its document yet.
    private let isFirst: Bool
    /// Since the last look; without one, since the item was made.
    private let elapsed: Duration

    /// When its next fetch is due.
    enum Due: Sendable {
        case policy
        /// What is kept is known to be out of date.
        case now
        /// Nothing is kept: there is nothing to be fetched again.
        case never
    }

    /// Seven columns from `first` on, as ``ReadLockedItems`` has them. Numbers that can't be used
    /// count as not known: an item is fetched all the same.
    init(_ row: borrowing PostgresRow, from first: Int) throws {
        item = try row.decode(0)
        isFirst = try row.decode(first)
        elapsed = .clamped(seconds: max(0, try row.decode(first + 1)))
        var memory = RefetchPolicy.Memory()
        if let count = try row.decode(first + 2, as: Double?.self),
            let span = try row.decode(first + 3, as: Double?.self)
        {
            memory.rate = ChangeRate(count: count, span: span)
        }
        memory.interval = try row.decode(first + 4, as: Double?.self).map { .clamped(seconds: $0) }
        self.memory = memory
        policy = RefetchPolicy(
            bounds: RefetchBounds(
                shortestSeconds: try row.decode(first + 5),
                longestSeconds: try row.decode(first + 6)))
    }

    /// What is written of it.
    struct Written: Sendable {
        /// How long until it is due; nil: as it is.
        var wait: Duration?
        /// Its document was looked at.
        var hasLooked = false
        /// What is remembered of its changes.
        var interval: Duration?
        var span: Duration?
        var count: Double?
    }

    func written(_ look: RefetchPolicy.Look, fresh: Duration, _ due: Due) -> Written {
        if case .never = due { return Written() }
        let decision = policy.decide(look, after: elapsed, isFirst: isFirst, memory)
        var wait = RefetchPolicy.spread(
            decision.wait, share: IDShare.share(of: item), fresh: fresh)
        if case .now = due { wait = .zero }
        return Written(
            wait: wait, hasLooked: decision.hasLooked, interval: decision.memory.interval,
            span: .clamped(seconds: decision.memory.rate.span),
            count: decision.memory.rate.count)
    }
}
