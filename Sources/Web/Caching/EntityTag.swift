/// The name of one version of a resource (RFC 9110, section 8.8.3).
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// Whether versions with one tag may differ in what doesn't matter.
    public let isWeak: Bool
    /// Without quotes.
    public let value: String

    /// Reads `"x"` or `W/"x"`; also a value without quotes, as some servers send.
    public init?(_ text: String) {
        var rest = Array(text.utf8).trimmingASCIIWhitespace()
        isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        if rest.count >= 2, rest.first == 0x22, rest.last == 0x22 {
            rest = rest.dropFirst().dropLast()
        } else if rest.isEmpty || rest.contains(UInt8(ascii: ",")) {
            return nil
        }
        guard rest.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F || $0 == 0x20 }) else {
            return nil
        }
        value = String(decoding: rest, as: UTF8.self)
    }

    public var description: String { (isWeak ? "W/" : "") + "\"\(value)\"" }
}
