/// Statuses that count as well, at some URLs or at all.
public struct AcceptRule: Sendable, Codable, Hashable {
    public var statuses: [StatusRange]
    /// A pattern of URLs; nil for all.
    public var at: String?

    public init(_ statuses: [StatusRange], at: String? = nil) {
        (self.statuses, self.at) = (statuses, at)
    }

    /// - Throws: `ContentError` with `.badOption`, naming the part.
    public func validate() throws {
        try Bounds.check("accept's statuses", statuses.count, 1...100)
        try at.map { try CheckRules.check(pattern: $0, of: "accept") }
    }
}

/// Statuses from one to another: `403`, `200..=299`, or `200..300` without its end.
public struct StatusRange: Sendable, Codable, Hashable, CustomStringConvertible {
    public let first: Int
    public let last: Int

    private static let known = 100...999

    /// - Throws: `ContentError` with `.badOption`.
    public init(_ text: String) throws {
        guard let range = Self.parse(text), Self.known.contains(range.first),
            Self.known.contains(range.last), range.first <= range.last
        else {
            throw ContentError(
                .badOption,
                "the status is \"\(text.storable.prefix(40))\"; give one such as 403, or a range "
                    + "such as 200..=299, of 100 to 999")
        }
        (first, last) = range
    }

    private static func parse(_ text: String) -> (first: Int, last: Int)? {
        guard let dots = text.firstRange(of: "..") else {
            return number(text[...], or: nil).map { ($0, $0) }
        }
        let rest = text[dots.upperBound...]
        let isClosed = rest.hasPrefix("=")
        guard let first = number(text[..<dots.lowerBound], or: known.lowerBound),
            let last = number(isClosed ? rest.dropFirst() : rest, or: isClosed ? nil : 1000)
        else { return nil }
        // Bounded: three or four digits.
        return (first, isClosed ? last : last - 1)
    }

    private static func number(_ text: Substring, or missing: Int?) -> Int? {
        if text.isEmpty { return missing }
        guard text.utf8.count <= 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    func contains(_ status: Int) -> Bool { (first...last).contains(status) }

    public var description: String { first == last ? "\(first)" : "\(first)..=\(last)" }

    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
