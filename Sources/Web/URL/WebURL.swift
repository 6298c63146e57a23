/// A URL as the WHATWG URL standard parses and writes it.
///
/// The value is its `href` plus the places where the parts begin, so that it is cheap to copy,
/// to compare and to keep by the hundred thousand. Two URLs are equal when their hrefs are.
public struct WebURL: Sendable {
    /// What the host is made of; the transport and the address checks decide by it.
    public enum HostKind: UInt8, Sendable {
        /// No host at all, as in `mailto:a@b`.
        case none
        /// An empty one, as in `file:///etc`.
        case empty
        case domain, ipv4, ipv6
        /// The host of a scheme that the standard doesn't know; nothing is said of its form.
        case opaque
    }

    /// Offsets into the UTF-8 of `href`; a missing query or fragment begins at `none`.
    struct Layout: Sendable {
        static let none = UInt32.max
        var schemeEnd: UInt32 = 0
        var usernameStart: UInt32 = 0
        var usernameEnd: UInt32 = 0
        var passwordStart: UInt32 = 0
        var passwordEnd: UInt32 = 0
        var hostStart: UInt32 = 0
        var hostEnd: UInt32 = 0
        var pathStart: UInt32 = 0
        var pathEnd: UInt32 = 0
        var queryStart = Layout.none
        var queryEnd: UInt32 = 0
        var fragmentStart = Layout.none
        var port: UInt16?
        var hostKind = HostKind.none
        var hasOpaquePath = false
    }

    /// The whole URL, serialised.
    public let href: String
    let layout: Layout

    init(href: String, layout: Layout) {
        self.href = href
        self.layout = layout
    }

    /// Parses, or returns nil where the standard says "failure".
    public init?(_ string: String, base: WebURL? = nil) {
        // Reason for `try?`: who wants to know why calls `parse(_:base:)`.
        guard let url = try? WebURL.parse(string, base: base) else { return nil }
        self = url
    }

    /// Parses `string`, relative to `base` where it is a relative reference.
    public static func parse(_ string: String, base: WebURL? = nil) throws(WebURLError) -> WebURL {
        try parse(utf8: string.utf8, base: base)
    }

    /// As `parse(_:base:)`, from UTF-8 bytes.
    public static func parse(
        utf8 bytes: some BidirectionalCollection<UInt8>, base: WebURL? = nil
    ) throws(WebURLError) -> WebURL {
        var parser = URLParser(bytes, base: base.map(URLRecord.init))
        try parser.parse()
        return parser.record.serialized()
    }
}

extension WebURL {
    /// Without the colon.
    public var scheme: String { text(0, layout.schemeEnd) }
    /// Percent-encoded; empty when there is none.
    public var username: String { text(layout.usernameStart, layout.usernameEnd) }
    /// Percent-encoded; empty when there is none.
    public var password: String { text(layout.passwordStart, layout.passwordEnd) }
    public var hostKind: HostKind { layout.hostKind }

    /// Serialised, an IPv6 address in its brackets; nil when the URL has no host.
    public var host: String? {
        layout.hostKind == .none ? nil : text(layout.hostStart, layout.hostEnd)
    }

    /// The port that the URL names; nil when it is the scheme's own.
    public var port: UInt16? { layout.port }
    /// `port`, or the default one of the scheme.
    public var effectivePort: UInt16? { port ?? SpecialScheme(schemeBytes)?.defaultPort }
    public var path: String { text(layout.pathStart, layout.pathEnd) }
    /// True for `mailto:a@b` and the like, which can't be the base of anything but a fragment.
    public var hasOpaquePath: Bool { layout.hasOpaquePath }

    /// Without the question mark; nil when there is none, empty for `http://a/?`.
    public var query: String? {
        layout.queryStart == Layout.none ? nil : text(layout.queryStart, layout.queryEnd)
    }

    /// Without the number sign, percent-encoded; nil when there is none.
    public var fragment: String? {
        layout.fragmentStart == Layout.none
            ? nil : text(layout.fragmentStart, UInt32(href.utf8.count))
    }

    /// The fragment as an `id` would be written.
    public var decodedFragment: String? {
        fragment.map { String(decoding: Percent.decode($0.utf8), as: UTF8.self) }
    }

    /// Whether the scheme is http or https: the ones that are ever fetched.
    public var isHTTP: Bool {
        schemeBytes.elementsEqual("http".utf8) || schemeBytes.elementsEqual("https".utf8)
    }

    public var isSpecial: Bool { SpecialScheme(schemeBytes) != nil }
    public var hasCredentials: Bool { layout.usernameStart != layout.hostStart }

    /// The form that is stored and compared: the same resource, wherever in it one points.
    public var withoutFragment: WebURL {
        guard layout.fragmentStart != Layout.none else { return self }
        var layout = layout
        let end = layout.fragmentStart - 1
        layout.fragmentStart = Layout.none
        return WebURL(href: text(0, end), layout: layout)
    }

    /// Scheme, host and port, serialised; `null` where the standard says "opaque".
    public var origin: String {
        switch SpecialScheme(schemeBytes) {
        case .file: return "null"
        case .some:
            let port = port.map { ":\($0)" } ?? ""
            return "\(scheme)://\(host ?? "")\(port)"
        case nil:
            guard scheme == "blob", let inner = WebURL(path), inner.isHTTP else { return "null" }
            return inner.origin
        }
    }

    var schemeBytes: Substring.UTF8View { slice(0, layout.schemeEnd) }

    func slice(_ start: UInt32, _ end: UInt32) -> Substring.UTF8View {
        let utf8 = href.utf8
        let first = utf8.index(utf8.startIndex, offsetBy: Int(start))
        return utf8[first..<utf8.index(first, offsetBy: Int(end - start))]
    }

    private func text(_ start: UInt32, _ end: UInt32) -> String {
        String(Substring(slice(start, end)))
    }
}

extension WebURL: Hashable {
    public static func == (left: WebURL, right: WebURL) -> Bool { left.href == right.href }
    public func hash(into hasher: inout Hasher) { hasher.combine(href) }
}

extension WebURL: CustomStringConvertible, LosslessStringConvertible {
    public init?(_ description: String) { self.init(description, base: nil) }
    public var description: String { href }
}

extension WebURL: Codable {
    public init(from decoder: any Decoder) throws {
        self = try WebURL.parse(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(href)
    }
}
