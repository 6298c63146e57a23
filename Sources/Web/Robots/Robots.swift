/// A robots.txt (RFC 9309), read once and asked many times.
///
/// Where the RFC is silent, or pages rely on more than it says, this does what the parser does
/// that sites are tested against: misspelt keys, a space for a colon, `index.html` for `/`.
public struct Robots: Sendable {
    /// Bytes that are read; the RFC asks for 500 KiB at least.
    public static let maxBytes = 500 * 1024

    /// The URLs of `Sitemap` lines, as written.
    public private(set) var sitemaps: [String] = []
    /// Whether the file was longer than `maxBytes`.
    public let isTruncated: Bool
    private var groups: [Group] = []

    struct Group: Sendable {
        /// Product tokens in lower case; `*` means anyone who has no group.
        var agents: [String] = []
        var rules: [RobotsRule] = []
        var crawlDelay: Duration?
        /// Whether a rule has come, so that the next `User-agent` begins another group.
        var hasRules = false
    }

    /// Reads a file in UTF-8, or in whatever it is.
    public init(_ bytes: [UInt8]) {
        isTruncated = bytes.count > Robots.maxBytes
        var content = bytes.prefix(Robots.maxBytes)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if content.starts(with: mark) { content = content.dropFirst(3) }
        // A line that the limit cuts through could say the opposite of the whole.
        if isTruncated, let end = content.lastIndex(where: isNewline) { content = content[...end] }
        for line in content.split(whereSeparator: isNewline) { take(RobotsLine(line)) }
    }

    private mutating func take(_ line: RobotsLine?) {
        guard let line else { return }
        switch line.key {
        case .userAgent: takeAgent(line.value)
        case .allow: takeRule(line.value, allows: true)
        case .disallow: takeRule(line.value, allows: false)
        case .crawlDelay:
            guard !groups.isEmpty else { return }
            let seconds = Double(String(decoding: line.value, as: UTF8.self))
            if let seconds, (0...86_400).contains(seconds) {
                // Bounded: a day at most, see above.
                groups[groups.count - 1].crawlDelay = .milliseconds(Int64(seconds * 1000))
            }
        case .sitemap: sitemaps.append(String(decoding: line.value, as: UTF8.self))
        }
    }

    private mutating func takeAgent(_ value: ArraySlice<UInt8>) {
        if groups.last?.hasRules ?? true { groups.append(Group()) }
        let isStar = value.first == UInt8(ascii: "*")
        if isStar, value.count == 1 || value[value.startIndex + 1].isASCIIWhitespace {
            groups[groups.count - 1].agents.append("*")
        } else {
            let token = value.prefix { $0.isASCIIAlpha || $0 == UInt8(ascii: "_") || $0 == 0x2D }
            groups[groups.count - 1].agents.append(
                String(decoding: token.map(\.asciiLowercased), as: UTF8.self))
        }
    }

    /// Rules before the first `User-agent` are nobody's. One without a path says nothing, but
    /// still ends the list of agents.
    private mutating func takeRule(_ value: ArraySlice<UInt8>, allows: Bool) {
        guard !groups.isEmpty else { return }
        groups[groups.count - 1].hasRules = true
        if value.isEmpty { return }
        groups[groups.count - 1].rules += RobotsRule.rules(value, allows: allows)
    }

    /// All that the file says to one crawler: its own groups taken together, or else those of `*`.
    /// - Parameter userAgent: its product token; what follows a slash or a space is ignored.
    public func policy(for userAgent: String) -> RobotsPolicy {
        let token = userAgent.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != 0x20 }
        let agent = String(decoding: token.map(\.asciiLowercased), as: UTF8.self)
        var chosen = groups.filter { !agent.isEmpty && $0.agents.contains(agent) }
        if chosen.isEmpty, !agent.isEmpty { chosen = groups.filter { $0.agents.contains("*") } }
        return RobotsPolicy(
            rules: chosen.flatMap(\.rules), crawlDelay: chosen.compactMap(\.crawlDelay).max())
    }

    /// Whether `userAgent` may fetch `path`, percent-encoded, with the query if there is one.
    public func isAllowed(path: String, userAgent: String) -> Bool {
        policy(for: userAgent).isAllowed(path: path)
    }

    /// Whether `userAgent` may fetch `url`, if the file is that of its origin.
    public func isAllowed(_ url: WebURL, userAgent: String) -> Bool {
        policy(for: userAgent).isAllowed(url)
    }
}

private func isNewline(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x0D
}
