/// The directives of a Cache-Control header (RFC 9111, section 5.2) that a fetcher heeds.
public struct CacheControl: Hashable, Sendable {
    public var noStore = false
    public var noCache = false
    public var mustUnderstand = false
    public var isPublic = false
    public var maxAge: Duration?

    public init() {}

    /// Reads a header; what it doesn't know it passes over. Of a directive that is there twice,
    /// the first counts.
    public init(_ text: String) {
        for directive in CacheControl.directives(text) {
            switch directive.name {
            case "no-store": noStore = true
            case "no-cache": noCache = true
            case "must-understand": mustUnderstand = true
            case "public": isPublic = true
            case "max-age": maxAge = maxAge ?? directive.seconds
            default: break
            }
        }
    }

    private struct Directive {
        var name: String
        var value: String

        /// A number of seconds; one that is no number means "stale already".
        var seconds: Duration {
            guard !value.isEmpty, value.utf8.allSatisfy(\.isASCIIDigit) else { return .zero }
            // Bounded: by this line.
            return .seconds(min(Int64(value) ?? .max, 1 << 31))
        }
    }

    /// Splits at commas that are not inside of quotes.
    private static func directives(_ text: String) -> [Directive] {
        var isQuoted = false
        let items = text.utf8.split { byte in
            if byte == 0x22 { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
        return items.map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let words = parts.map { part in
                let word = part.trimmingASCIIWhitespace().filter { $0 != 0x22 }
                return String(decoding: word, as: UTF8.self)
            }
            return Directive(
                name: words.first?.lowercased() ?? "", value: words.count > 1 ? words[1] : "")
        }
    }
}
