/// A feed: RSS 0.9x, 1.0 and 2.0, or Atom (RFC 4287), as tolerantly as feeds are written.
///
/// It is read with the HTML tokenizer, which no error stops: names count without regard to case,
/// namespaces by the prefixes that everybody uses, entities may be those of HTML. What isn't one
/// of the formats has no `format`, and nothing in it.
public struct Feed: Sendable {
    public enum Format: String, Sendable, Codable {
        case rss, rss1, atom
    }

    /// A file that belongs to an item, such as the sound of a podcast.
    public struct Enclosure: Sendable, Hashable {
        public var url: WebURL
        public var type: String?
        public var length: Int64?
    }

    public struct Item: Sendable, Hashable {
        /// `guid` or `id`; of an item without one, its link.
        public var id: String?
        /// Plain text, markup removed.
        public var title: String?
        public var link: WebURL?
        /// HTML, decoded but not cleaned.
        public var summary: String?
        public var content: String?
        public var authors: [String] = []
        public var categories: [String] = []
        public var published: HTTPDate?
        public var updated: HTTPDate?
        public var enclosures: [Enclosure] = []
        /// What relative URLs in `summary` and `content` are resolved against.
        public var base: WebURL
        /// Where the item begins.
        public var position: SourcePosition
    }

    public var format: Format?
    public var title: String?
    public var description: String?
    /// The page that the feed belongs to.
    public var link: WebURL?
    /// Where the feed says that it is itself.
    public var selfLink: WebURL?
    public var language: String?
    public var updated: HTTPDate?
    public var items: [Item] = []
    /// Whether there were more items than are kept, or more of anything than the limits allow.
    public var isTruncated = false

    /// Reads a feed in UTF-8 (`DecodedText` with `isHTML: false` makes it so).
    public init(
        _ bytes: [UInt8], documentURL: WebURL, limits: FeedLimits = FeedLimits()
    ) {
        self = HTMLTokenizer.scan(bytes) { tokenizer in
            tokenizer.followsElements = false
            tokenizer.isXML = true
            var reader = FeedReader(documentURL: documentURL, limits: limits)
            while let kind = tokenizer.next() { reader.take(kind, &tokenizer) }
            return reader.finish(tokenizer)
        }
    }

    init() {}
}

/// How much of a feed is kept.
public struct FeedLimits: Sendable {
    public var maxItems = 1000
    /// Elements inside of one another; what is deeper is passed over.
    public var maxDepth = 64
    /// Bytes of one text; the rest is cut off.
    public var maxTextBytes = 1 << 20
    /// Authors, categories and enclosures of one item, each.
    public var maxValues = 100

    public init() {}
}
