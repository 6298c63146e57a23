// docs/decisions/refetching.md

import TenureSystem

/// How soon an item is fetched again, by what looks at it have found. A pure rule: the simulation
/// calls it as the writer of pages does.
///
/// An interval costs what is stale at its end and what its request costs. With a rate r of changes
/// and u = r × interval, a copy is stale for the share 1 - (1 - exp(-u)) / u of the time; a request
/// costs `price`. The sum is least where 1 - exp(-u) × (1 + u) = r × price. So what changes seldom
/// gets intervals like √(2 × price / r), and what changes faster than can be followed is not run
/// after.
struct RefetchPolicy: Sendable, Hashable {
    var bounds = RefetchBounds()
    /// A request is worth an item's being stale for so long.
    var price: Duration = .seconds(3 * 3600)

    /// What a look has found.
    enum Look: Sendable, Hashable {
        case changed, unchanged
        /// There is nothing any more, and its server says so.
        case gone
        /// Nothing that says anything of the document.
        case nothing
    }

    /// What is remembered of an item.
    struct Memory: Sendable, Hashable {
        var rate = ChangeRate.unknown
        /// Between two looks, as the rate is now; nil before the first.
        var interval: Duration?
    }

    /// What follows from a look.
    struct Decision: Sendable, Hashable {
        var memory: Memory
        /// From now to the next look.
        var wait: Duration
        /// Whether the document was looked at: the next look counts from here.
        var hasLooked: Bool
    }

    /// - Parameters:
    ///   - time: since the last look at the document; without one, since the item is known.
    ///   - isFirst: nobody has looked at it yet.
    func decide(
        _ look: Look, after time: Duration, isFirst: Bool, _ memory: Memory
    ) -> Decision {
        var memory = memory
        switch look {
        case .changed, .unchanged:
            if !isFirst { memory.rate.note(hasChanged: look == .changed, after: time) }
            let interval = interval(memory.rate)
            memory.interval = interval
            return Decision(memory: memory, wait: interval, hasLooked: true)
        case .gone:
            return Decision(memory: memory, wait: bounds.longest, hasLooked: false)
        case .nothing:
            // As long again as it has been so.
            let wait = bounds.holding(max(memory.interval ?? .zero, time))
            return Decision(memory: memory, wait: wait, hasLooked: false)
        }
    }

    /// The interval that costs least.
    private func interval(_ rate: ChangeRate) -> Duration {
        let worth = rate.mean * (price / .seconds(1))
        guard worth < Self.mostWorth else {
            return bounds.holding(.clamped(seconds: Self.mostChanges / rate.mean))
        }
        var (low, high) = (0.0, Self.mostChanges)
        for _ in 0..<40 {
            let middle = (low + high) / 2
            let isBelow = -expm1(-middle) - middle * exp(-middle) < worth
            if isBelow { low = middle } else { high = middle }
        }
        return bounds.holding(.clamped(seconds: high / rate.mean))
    }

    /// Changes that go by between two looks at most, and what comes to that.
    private static let mostChanges = 12.0
    private static let mostWorth = -expm1(-mostChanges) - mostChanges * exp(-mostChanges)

    /// Items that were fetched together don't stay together: each takes a twentieth more or less,
    /// by its own share from 0 up to 1, but is never asked for while it is fresh.
    static func spread(_ wait: Duration, share: Double, fresh: Duration) -> Duration {
        max(wait * (0.95 + 0.1 * min(max(share, 0), 1)), fresh)
    }
}
