/// What happened, in order: a running hash of all of it, and the last lines for people.
///
/// Lines are written only where somebody will read them; the hash is of the numbers.
final class Trace {
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var count = 0
    private(set) var lines: [String] = []
    let keepsLines: Bool

    init(keepsLines: Bool) { self.keepsLines = keepsLines }

    @inline(__always)
    func note(_ time: Int64, _ what: StaticString, _ a: Int = 0, _ b: Int = 0) {
        mix(time, what, a, b)
        if keepsLines { add(time, "\(what) \(a) \(b)") }
    }

    /// For what happens too often to be read.
    @inline(__always)
    func mix(_ time: Int64, _ what: StaticString, _ a: Int, _ b: Int) {
        count += 1
        mix(UInt64(bitPattern: time))
        mix(UInt64(what.utf8CodeUnitCount) << 8 | UInt64(what.utf8Start.pointee))
        mix(UInt64(bitPattern: Int64(a)))
        mix(UInt64(bitPattern: Int64(b)))
    }

    func say(_ time: Int64, _ text: @autoclosure () -> String) {
        if keepsLines { add(time, text()) }
    }

    private func mix(_ value: UInt64) {
        hash = (hash ^ value) &* 0x0000_0100_0000_01B3
    }

    private func add(_ time: Int64, _ text: String) {
        let milliseconds = time / 1_000_000
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        lines.append("\(milliseconds / 1000).\(fraction) \(text)")
    }
}
