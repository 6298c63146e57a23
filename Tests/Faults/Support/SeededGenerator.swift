/// SplitMix64: the same numbers for the same seed.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// - Parameter stream: sets apart what shares a seed.
    package init(seed: UInt64, stream: UInt64 = 0) {
        state = seed &+ stream &* 0xD1B5_4A32_D192_ED03
        _ = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < share
    }

    package mutating func pick<Value>(_ weighted: KeyValuePairs<Value, Int>) -> Value {
        var left = Int.random(in: 0..<weighted.reduce(0) { $0 + $1.value }, using: &self)
        for (value, weight) in weighted {
            if left < weight { return value }
            left -= weight
        }
        preconditionFailure("the weights add up to more than was drawn")
    }
}
