/// A stream of numbers that a seed decides (SplitMix64).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Mixed, or the stream of a seed would be that of the seed before without its first number.
    package init(_ seed: UInt64) { state = Self.mix(seed &+ 0x1234_5678_9ABC_DEF1) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    private static func mix(_ state: UInt64) -> UInt64 {
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// 0 ..< bound.
    package mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next() >> 33) % max(1, bound)
    }

    package mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// True once in `count` times on average; never for 0.
    package mutating func oneIn(_ count: Int) -> Bool { count > 0 && below(count) == 0 }

    package mutating func percent(_ share: Int) -> Bool { below(100) < share }

    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// Mostly near the lower end, so that long delays are rare and short ones common.
    package mutating func skewed(_ range: ClosedRange<Int>) -> Int {
        let wide = below(range.upperBound - range.lowerBound + 1)
        return range.lowerBound + (percent(80) ? wide / 20 : wide)
    }
}

/// The same behind a reference, for those who copy their generator.
final class SharedRandom: RandomNumberGenerator, @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    private var random: SeededRandom
    init(_ seed: UInt64) { random = SeededRandom(seed) }
    func next() -> UInt64 { random.next() }
}
