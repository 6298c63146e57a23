import TenureFoundation

/// A share of an interval that belongs to an id, by which things that are due together are put
/// apart: the same always, and another for each id.
enum IDShare {
    /// From 0 up to 1.
    static func share(of id: UUID) -> Double {
        let bytes = id.uuid
        let number = [bytes.0, bytes.1, bytes.2, bytes.3].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Double(number) / 4_294_967_296
    }
}
