/// Which bytes a response holds (RFC 9110, section 14.4): `bytes 0-499/1234`, `bytes 0-499/*`, or,
/// where it holds none of those that were asked for, `bytes */1234`.
public struct ContentRange: Hashable, Sendable {
    /// Nil for `*`.
    public let bytes: ClosedRange<Int64>?
    /// How many there are in all; nil when the server doesn't know.
    public let total: Int64?

    /// Nil for what is no range, and for one that ends beyond `ByteCount.most`.
    public init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let number = ByteCount.parse(parts[1]) else { return nil }
            total = number
        }
        if parts[0] == "*" {
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ByteCount.parse(ends[0]),
            let last = ByteCount.parse(ends[1]), last < ByteCount.most,
            first <= last, total.map({ last < $0 }) ?? true
        else { return nil }
        bytes = first...last
    }

    /// Where the bytes end: the place of the first one behind them.
    public var stop: Int64? { bytes.map { $0.upperBound &+ 1 } }
}
