// docs/decisions/refetching.md

import TenureSystem

/// How often a document changes, as far as looks at it have told: the gamma distribution of a rate
/// that nobody knows. Each look makes it narrower.
///
/// A look only says whether anything has changed since the last one, never how often. "Nothing in
/// so long" leaves a gamma distribution (its span grows); "something" leaves none, and the one of
/// the same mean and variance takes its place.
struct ChangeRate: Sendable, Hashable {
    /// Changes, and in which time: as if so many had been seen.
    private(set) var count: Double
    /// In seconds.
    private(set) var span: Double

    /// What is thought of a document that was seen once: one change in four days, or nearly
    /// anything else.
    static let unknown = ChangeRate(count: 0.5, span: 2 * 86_400)
    /// No more is remembered than so many changes: a document that is another than it was is known
    /// for that soon.
    private static let mostCount = 20.0

    /// As it was kept; what can't be one counts as nothing known.
    init(count: Double, span: Double) {
        guard count > 0, count <= 1e6, span > 0, span <= 1e12 else {
            self = .unknown
            return
        }
        (self.count, self.span) = (count, span)
    }

    /// Changes a second.
    var mean: Double { count / span }

    /// A look, so long after the last one.
    mutating func note(hasChanged: Bool, after time: Duration) {
        let seconds = min(max(time / .seconds(1), 1), 1e9)
        guard hasChanged else {
            self = ChangeRate(count: count, span: span + seconds)
            return
        }
        // The density of a rate r is weighed with 1 - exp(-r t): moments are differences of gamma
        // integrals, of which each is the share that falls away when the span grows by t.
        let growth = log1p(seconds / span)
        func lost(_ more: Double) -> Double { -expm1(-(count + more) * growth) }
        let mean = self.mean * lost(1) / lost(0)
        let square = count * (count + 1) / (span * span) * lost(2) / lost(0)
        let variance = max(square - mean * mean, mean * mean * 1e-9)
        let known = mean * mean / variance
        let kept = min(known, Self.mostCount)
        self = ChangeRate(count: kept, span: mean / variance * (kept / known))
    }
}
