/// Numbers of one store against those of the other: fences, generations and sessions come from
/// sequences, and only have to be the same ones, not the same numbers.
final class Correspondence {
    private var real: [Int64: Int64] = [0: 0]
    private var simulated: [Int64: Int64] = [0: 0]

    /// Whether the two may be the same; from then on they are.
    func same(_ a: Int64?, _ b: Int64?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        if let known = real[a] { return known == b }
        if simulated[b] != nil { return false }
        real[a] = b
        simulated[b] = a
        return true
    }

    /// The real number of a simulated one.
    func real(of simulated: Int64) -> Int64 { self.real[simulated] ?? simulated + 1_000_000 }
}
