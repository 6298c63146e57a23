import Foundation
import Testing

@testable import Content

/// The rule by which items are fetched again, and what it remembers of them.
@Suite struct RefetchPolicyTests {
    private let policy = RefetchPolicy()

    /// The intervals of a document that is looked at when it is due, each time with this finding.
    private func intervals(
        _ policy: RefetchPolicy, _ looks: [RefetchPolicy.Look]
    ) -> [Duration] {
        var decision = policy.decide(.changed, after: .zero, isFirst: true, .init())
        var intervals = [decision.wait]
        for look in looks {
            decision = policy.decide(
                look, after: decision.wait, isFirst: false, decision.memory)
            intervals.append(decision.wait)
        }
        return intervals
    }

    @Test func `shorter after a change, longer after none, always within its bounds`() {
        let changing = intervals(policy, Array(repeating: .changed, count: 6))
        let lasting = intervals(policy, Array(repeating: .unchanged, count: 60))
        #expect(changing[1] < changing[0])
        #expect(zip(lasting, lasting.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(lasting[1] > lasting[0])
        for wait in changing + lasting {
            #expect(wait >= policy.bounds.shortest && wait <= policy.bounds.longest)
        }
        var narrow = policy
        (narrow.bounds.shortest, narrow.bounds.longest) = (.seconds(7200), .seconds(10_800))
        let held = intervals(narrow, [.changed, .changed, .unchanged, .unchanged])
        #expect(held.allSatisfy { $0 >= .seconds(7200) && $0 <= .seconds(10_800) })
    }

    @Test func `what was stable and begins to change is followed within a few looks`() {
        let looks = Array(repeating: RefetchPolicy.Look.unchanged, count: 40)
        let waits = intervals(policy, looks + Array(repeating: .changed, count: 12))
        let (stable, lively) = (waits[40], waits[52])
        #expect(lively < stable / 3, "\(stable) to \(lively)")
    }

    @Test func `what changes at every look is not run after`() {
        let waits = intervals(policy, Array(repeating: .changed, count: 200))
        // Its copy is stale anyway: a request an hour would buy nothing.
        #expect(waits[200] > .seconds(3 * 3600) && waits[200] < .seconds(3 * 86_400))
    }

    @Test func `what is gone is looked for seldom, and what failed as long again as it has`() {
        let known = policy.decide(.unchanged, after: .seconds(9000), isFirst: false, .init())
        let gone = policy.decide(.gone, after: .seconds(9000), isFirst: false, known.memory)
        #expect(gone.wait == policy.bounds.longest && !gone.hasLooked)
        #expect(gone.memory == known.memory)
        for (since, wait) in [(60.0, known.wait), (2e6, .seconds(2e6)), (1e9, .seconds(2_592_000))]
        {
            let failed = policy.decide(
                .nothing, after: .seconds(since), isFirst: false, known.memory)
            #expect(failed.wait == wait && !failed.hasLooked && failed.memory == known.memory)
        }
    }

    @Test func `nobody asks while it is fresh, and items drift apart`() {
        let day = Duration.seconds(86_400)
        #expect(RefetchPolicy.spread(day, share: 0, fresh: day * 400) == day * 400)
        #expect(RefetchPolicy.spread(day, share: 0, fresh: .zero) == day * 0.95)
        #expect(RefetchPolicy.spread(day, share: 1, fresh: .zero) == day * 1.05)
    }

    /// Whatever a row holds, a page is stored.
    @Test(arguments: [0, -1, 1e-300, 1, 1e300, .infinity, -.infinity, .nan] as [Double])
    func `numbers that can't be are as if nothing were known`(_ number: Double) {
        for other in [0, 1e-300, 3, 1e300, .nan] as [Double] {
            var memory = RefetchPolicy.Memory()
            memory.rate = ChangeRate(count: number, span: other)
            memory.interval = .clamped(seconds: number)
            let bounds = RefetchBounds(shortestSeconds: number, longestSeconds: other)
            var policy = policy
            policy.bounds = bounds
            for look in [RefetchPolicy.Look.changed, .unchanged, .gone, .nothing] {
                for time in [Duration.zero, .seconds(1), .seconds(1e9), .seconds(-5)] {
                    let decision = policy.decide(look, after: time, isFirst: false, memory)
                    #expect(decision.wait >= bounds.shortest && decision.wait <= bounds.longest)
                    #expect(decision.memory.rate.mean.isFinite && decision.memory.rate.mean > 0)
                }
            }
        }
    }

    @Test func `the estimate comes to the rate that is there`() {
        var random = SplitMix(7)
        for mean in [21_600, 86_400, 1_728_000] as [Double] {
            var rate = ChangeRate.unknown
            // Looks at any times: what is between them is not seen.
            for _ in 0..<400 {
                let time = mean * (0.1 + 2 * random.unit())
                rate.note(hasChanged: random.unit() > exp(-time / mean), after: .seconds(time))
            }
            #expect((0.5...2).contains(rate.mean * mean), "\(mean): \(rate.mean * mean)")
        }
    }
}

/// Numbers that a seed decides.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// From 0 up to 1.
    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    /// The time to the next of what comes so often on average.
    mutating func wait(mean: Double) -> Double { -log(1 - unit()) * mean }
}
