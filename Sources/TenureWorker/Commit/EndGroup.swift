import Tenure

/// Ends that are reported together.
struct EndGroup: Sendable {
    /// Completed, without key and result.
    var plain: [Run] = []
    var others: [RunEnding] = []
    private static let most = 1000

    var isEmpty: Bool { plain.isEmpty && others.isEmpty }

    /// All of them, each to be looked at by itself.
    var asEndings: [RunEnding] { plain.map { RunEnding($0.ref, .completed) } + others }

    /// As many as one statement should have.
    mutating func take() -> EndGroup {
        if plain.count <= Self.most, others.count <= Self.most {
            defer { self = EndGroup() }
            return self
        }
        let group = EndGroup(
            plain: Array(plain.prefix(Self.most)), others: Array(others.prefix(Self.most)))
        plain.removeFirst(group.plain.count)
        others.removeFirst(group.others.count)
        return group
    }

    /// In front of what has gathered since.
    mutating func putBack(_ group: EndGroup) {
        plain = group.plain + plain
        others = group.others + others
    }
}

/// Ends whose keys were locked, and when to ask for them again: soon at first, then once a second.
struct BusyEndings: Sendable {
    private var endings: [RunEnding] = []
    private var rest = Duration.milliseconds(20)
    private(set) var retryAt: ContinuousClock.Instant?

    mutating func add(_ locked: [RunEnding], at now: ContinuousClock.Instant) {
        endings += locked
        if endings.isEmpty {
            rest = .milliseconds(20)
        } else if retryAt == nil {
            retryAt = now + rest
            rest = min(rest * 2, .seconds(1))
        }
    }

    mutating func take(at now: ContinuousClock.Instant) -> [RunEnding] {
        guard let retryAt, retryAt <= now else { return [] }
        self.retryAt = nil
        defer { endings = [] }
        return endings
    }
}
