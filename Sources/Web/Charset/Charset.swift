/// A character encoding of the Encoding standard, by its name in lower case.
public struct Charset: Hashable, Sendable, Codable, CustomStringConvertible {
    public let name: String

    private init(known name: String) {
        self.name = name
    }

    public static let utf8 = Charset(known: "utf-8")
    public static let utf16LE = Charset(known: "utf-16le")
    public static let utf16BE = Charset(known: "utf-16be")
    public static let windows1252 = Charset(known: "windows-1252")
    public static let windows1251 = Charset(known: "windows-1251")
    public static let shiftJIS = Charset(known: "shift_jis")
    public static let eucJP = Charset(known: "euc-jp")
    public static let eucKR = Charset(known: "euc-kr")
    public static let gb18030 = Charset(known: "gb18030")
    public static let iso2022JP = Charset(known: "iso-2022-jp")

    /// The encoding that a label means, as `latin1` means windows-1252; nil if it means none.
    public init?(label: some StringProtocol) {
        let trimmed = Array(label.utf8).trimmingASCIIWhitespace().map(\.asciiLowercased)
        let key = String(decoding: trimmed, as: UTF8.self)
        guard let name = Charset.labels[key] else { return nil }
        self.name = name
    }

    public init(from decoder: any Decoder) throws {
        let label = try decoder.singleValueContainer().decode(String.self)
        guard let charset = Charset(label: label) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "unknown charset \(label)"))
        }
        self = charset
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    public var description: String { name }

    private static let labels: [String: String] = {
        var labels: [String: String] = [:]
        for line in labelTable.description.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            for word in words { labels[word] = words[0] }
        }
        return labels
    }()
}
