import Foundation
import Testing

@testable import Content

/// A thousand pages that change by themselves, each at a rate that nobody is told, for thirty days:
/// how long copies of them are stale, by the product's rule and by others with as many requests.
@Suite struct RefetchSimulationTests {
    /// What decides how long until the next look.
    private protocol Pace {
        mutating func wait(after look: RefetchPolicy.Look?, _ time: Double) -> Double
    }

    private struct Product: Pace {
        let policy: RefetchPolicy
        var memory = RefetchPolicy.Memory()

        mutating func wait(after look: RefetchPolicy.Look?, _ time: Double) -> Double {
            let decision = policy.decide(
                look ?? .changed, after: .seconds(time), isFirst: look == nil, memory)
            memory = decision.memory
            return decision.wait / .seconds(1)
        }
    }

    private struct Fixed: Pace {
        let interval: Double
        mutating func wait(after look: RefetchPolicy.Look?, _ time: Double) -> Double { interval }
    }

    /// As other crawlers have it: a fifth shorter after a change, two fifths longer after none.
    private struct Stepwise: Pace {
        var interval = 86_400.0

        mutating func wait(after look: RefetchPolicy.Look?, _ time: Double) -> Double {
            if let look { interval *= look == .changed ? 0.8 : 1.4 }
            interval = min(max(interval, 3600), 30 * 86_400)
            return interval
        }
    }

    private struct Outcome {
        /// The share of the time.
        var stale = 0.0
        var requests = 0
    }

    private static let days = 30.0
    private static let pages = 1000

    /// Means between changes, from `fastest` seconds to ten thousand times that.
    private func means(_ fastest: Double, seed: UInt64) -> [Double] {
        var random = SplitMix(seed)
        return (0..<Self.pages).map { _ in fastest * exp(log(10_000) * random.unit()) }
    }

    private func simulate(_ means: [Double], seed: UInt64, _ pace: some Pace) -> Outcome {
        let end = Self.days * 86_400
        var random = SplitMix(seed)
        var outcome = Outcome()
        for mean in means {
            var pace = pace
            var now = 0.0
            // First fetched together, looked at again each at a time of its own.
            var next = pace.wait(after: nil, 0) * random.unit()
            var change = random.wait(mean: mean)
            while next < end {
                outcome.requests += 1
                let hasChanged = change <= next
                if hasChanged {
                    outcome.stale += next - change
                    change = next + random.wait(mean: mean)
                }
                let time = next - now
                now = next
                next = now + pace.wait(after: hasChanged ? .changed : .unchanged, time)
            }
            if change < end { outcome.stale += end - change }
        }
        outcome.stale /= end * Double(means.count)
        return outcome
    }

    /// - Returns: the fixed interval's outcome with as many requests.
    private func fixed(_ means: [Double], seed: UInt64, like other: Outcome) -> Outcome {
        let interval = Self.days * 86_400 * Double(means.count) / Double(other.requests)
        return simulate(means, seed: seed, Fixed(interval: interval))
    }

    /// - Parameters:
    ///   - hours: between changes of the liveliest page.
    ///   - most: the share of the fixed interval's staleness that is left.
    @Test(arguments: [(1.0, 0.93), (4.0, 0.84), (24.0, 0.75)])
    func `copies are stale for less of the time than with fixed intervals of as many requests`(
        hours: Double, most: Double
    ) {
        for seed in 1...3 as ClosedRange<UInt64> {
            let means = means(hours * 3600, seed: seed)
            let own = simulate(means, seed: seed + 100, Product(policy: RefetchPolicy()))
            let other = fixed(means, seed: seed + 200, like: own)
            let steps = simulate(means, seed: seed + 300, Stepwise())
            let otherSteps = fixed(means, seed: seed + 400, like: steps)
            print(
                "refetching: changes each \(hours) h to \(hours * 10_000) h, seed \(seed):",
                "\(own.requests) requests, stale \(percent(own)) (fixed \(other.requests),",
                "\(percent(other))); stepwise \(steps.requests) requests, \(percent(steps))",
                "(fixed \(percent(otherSteps)))")
            #expect(own.stale < other.stale * most)
            // As many requests, to the phase of each page's first look.
            #expect(abs(own.requests - other.requests) < own.requests / 100 + Self.pages)
        }
    }

    private func percent(_ outcome: Outcome) -> String {
        "\((outcome.stale * 10_000).rounded() / 100) %"
    }
}
