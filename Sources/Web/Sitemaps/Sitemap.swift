/// A sitemap, or an index of sitemaps (sitemaps.org), as tolerantly as they are written.
///
/// It is read as feeds are, with the HTML tokenizer: no error stops it, nothing recurses, and
/// entities that a document declares itself mean nothing. What isn't one of the formats has no
/// `format`, and nothing in it.
public struct Sitemap: Sendable {
    public enum Format: String, Sendable, Codable {
        /// Of pages.
        case pages
        /// Of other sitemaps.
        case index
    }

    public var format: Format?
    /// Each URL once, in the order of the document.
    public var urls: [WebURL] = []
    /// Where the `loc` of each begins.
    public var positions: [SourcePosition] = []
    /// Whether there were more than are read, or more of anything than the limits allow.
    public var isTruncated = false
    /// How many were no http or https URL, or too long for one.
    public var unusable = 0
    /// The first of those, as they are written; what is too long is cut off.
    public var unusableEntries: [(raw: String, position: SourcePosition)] = []
    static let mostUnusableEntries = 100

    /// Reads a sitemap in UTF-8 (`DecodedText` with `isHTML: false` makes it so).
    public init(_ bytes: [UInt8], limits: SitemapLimits = SitemapLimits()) {
        var bounds = HTMLLimits()
        bounds.maxTokens = limits.maxTokens
        self = HTMLTokenizer.scan(bytes, limits: bounds) { tokenizer in
            tokenizer.followsElements = false
            tokenizer.isXML = true
            var reader = SitemapReader(limits: limits)
            while !reader.isFull, let kind = tokenizer.next() { reader.take(kind, &tokenizer) }
            return reader.finish(tokenizer)
        }
    }

    init() {}
}

/// How much of a sitemap is read: what the protocol allows.
public struct SitemapLimits: Sendable {
    public var maxURLs = 50_000
    /// Of one URL; the protocol allows 2,048.
    public var maxURLBytes = 8 << 10
    /// Tags and texts, with all that extensions bring.
    public var maxTokens = 5_000_000
    /// Of a file, unpacked.
    public static let maxBytes = 50 << 20

    public init() {}
}
