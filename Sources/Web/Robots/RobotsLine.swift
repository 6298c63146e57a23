/// One line that says something: a key that is known, and a value.
struct RobotsLine {
    enum Key {
        case userAgent, allow, disallow, crawlDelay, sitemap

        /// By its start, as the parser does that sites are tested against: `Disallows` counts.
        init?(_ bytes: ArraySlice<UInt8>) {
            let found = Key.spellings.first { _, names in
                names.contains { bytes.startsIgnoringCase($0) }
            }
            guard let found else { return nil }
            self = found.key
        }

        private static let spellings: [(key: Key, names: [StaticString])] = [
            (.userAgent, ["user-agent", "useragent", "user agent"]),
            (.allow, ["allow"]),
            (.disallow, ["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"]),
            (.sitemap, ["sitemap", "site-map"]),
            (.crawlDelay, ["crawl-delay", "crawldelay"]),
        ]
    }

    let key: Key
    let value: ArraySlice<UInt8>

    init?(_ line: ArraySlice<UInt8>) {
        let content = line.prefix { $0 != UInt8(ascii: "#") }
        guard let separator = RobotsLine.separator(content) else { return nil }
        guard let key = Key(content[..<separator].trimmingASCIIWhitespace()) else { return nil }
        self.key = key
        value = content[(separator + 1)...].trimmingASCIIWhitespace()
    }

    /// The colon, or white space if there is none and it parts just two words.
    private static func separator(_ line: ArraySlice<UInt8>) -> Int? {
        if let colon = line.firstIndex(of: UInt8(ascii: ":")) { return colon }
        let trimmed = line.trimmingASCIIWhitespace()
        guard let space = trimmed.firstIndex(where: \.isASCIIWhitespace) else { return nil }
        let value = trimmed[space...].trimmingASCIIWhitespace()
        return value.contains(where: \.isASCIIWhitespace) ? nil : space
    }
}
