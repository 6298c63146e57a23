import FoundationEssentials
import Tenure

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

    /// Seven columns from `first` on, as ``LockItem`` has them. Numbers that can't be used count as
    /// not known: an item is fetched all the same.
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

    /// Five parameters: how long until it is due, whether its document was looked at, and what is
    /// remembered of its changes.
    func bind(
        _ parameters: inout PostgresParameters, _ look: RefetchPolicy.Look, fresh: Duration,
        _ due: Due
    ) throws {
        if case .never = due {
            try parameters.append(Duration?.none)
            try parameters.append(false)
            try parameters.append(Duration?.none)
            try parameters.append(Duration?.none)
            return try parameters.append(Double?.none)
        }
        let decision = policy.decide(look, after: elapsed, isFirst: isFirst, memory)
        var wait = RefetchPolicy.spread(
            decision.wait, share: IDShare.share(of: item), fresh: fresh)
        if case .now = due { wait = .zero }
        try parameters.append(wait)
        try parameters.append(decision.hasLooked)
        try parameters.append(decision.memory.interval)
        try parameters.append(Duration.clamped(seconds: decision.memory.rate.span))
        try parameters.append(decision.memory.rate.count)
    }
}
