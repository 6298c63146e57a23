/// What a page says of itself, each with where it says so.
///
/// Where several say something, the first of these counts: JSON-LD (schema.org), OpenGraph,
/// Twitter cards, plain HTML. What is empty or can't be read is passed over for the next.
public struct PageMetadata: Sendable {
    /// Who said it, from the strongest to the weakest.
    public enum Source: String, Sendable, Codable, CaseIterable, Comparable {
        case jsonLD, openGraph, twitter, html

        public static func < (left: Source, right: Source) -> Bool {
            allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
        }
    }

    /// A value and where it stands.
    public struct Field<Value: Sendable & Hashable>: Sendable, Hashable {
        public var value: Value
        public var source: Source
        /// Of the element that holds it: for JSON-LD, of the script.
        public var position: SourcePosition
    }

    public var title: Field<String>?
    public var description: Field<String>?
    /// In the order of the page.
    public var authors: Field<[String]>?
    public var siteName: Field<String>?
    /// A language tag as written, an underscore made a hyphen.
    public var language: Field<String>?
    public var published: Field<HTTPDate>?
    public var modified: Field<HTTPDate>?
    public var canonical: Field<WebURL>?
    public var image: Field<WebURL>?
    /// The type that schema.org or OpenGraph has for it, as `NewsArticle` or `article`.
    public var type: Field<String>?
    public var keywords: Field<[String]>?

    public init() {}

    /// Reads the metadata of a document.
    /// - Parameter baseURL: what relative URLs are resolved against: that of the document, or of
    ///   its `base`.
    public init(_ tree: HTMLTree, baseURL: WebURL) {
        var collector = MetadataCollector(tree: tree, baseURL: baseURL)
        collector.collect()
        self = collector.finish()
    }
}

extension PageMetadata.Field {
    func map<Other>(_ transform: (Value) -> Other?) -> PageMetadata.Field<Other>? {
        transform(value).map { .init(value: $0, source: source, position: position) }
    }
}
