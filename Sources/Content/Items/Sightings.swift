import TenureFoundation

/// What an item remembers of earlier fetches, to be sure of what it has seen. A pure rule.
struct Sightings: Sendable, Equatable {
    /// Of the first answer in a row that said the document is missing.
    var missingSince: Date?
    /// Where permanent redirects led last time.
    var redirectTo: String?
    var movedAt: Date?

    /// Missing twice, this far apart, is gone.
    static let day: TimeInterval = 86_400

    /// A document came, perhaps after redirects that are for good.
    /// - Returns: whether it has moved.
    mutating func found(redirectsTo target: String?, now: Date) -> Bool {
        missingSince = nil
        let isSecond = target != nil && target == redirectTo
        redirectTo = target
        movedAt = isSecond ? movedAt ?? now : nil
        return isSecond
    }

    /// The answer was a failure. What isn't an answer changes nothing.
    /// - Returns: whether the document is gone.
    mutating func failed(status: Int?, now: Date) -> Bool {
        guard status == 404 || status == 410 else { return false }
        let first = missingSince ?? now
        missingSince = first
        return status == 410 || now.timeIntervalSince(first) >= Self.day
    }
}
