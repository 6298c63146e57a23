/// Everything in an HTML document that refers to something or can be referred to.
public struct HTMLReferences: Sendable {
    /// In the order of the document.
    public var references: [Reference] = []
    /// Every `id`, and every `name` of an `a`, in the order of the document.
    public var anchors: [Anchor] = []
    /// What references were resolved against, if the document says so itself.
    public var base: WebURL?
    /// White space collapsed; nil if there is no title, or an empty one.
    public var title: String?
    public var canonical: WebURL?
    /// The contents of `meta name=robots`, as written.
    public var robots: String?
    /// What the limits cut off.
    public var excess: HTMLExcess = []

    public init() {}

    /// Scans a document in UTF-8 as a browser without scripting would read it: not in comments,
    /// not in `template`, but in `noscript`.
    /// - Parameters:
    ///   - charset: what the document was in before: the queries of its URLs still are.
    ///   - isOfForge: it stands in Markdown: on the pages that forges make of it, the `name` of any
    ///     element is an anchor.
    public static func scan(
        _ bytes: [UInt8], documentURL: WebURL, charset: Charset = .utf8,
        limits: HTMLLimits = HTMLLimits(), isOfForge: Bool = false
    ) -> HTMLReferences {
        HTMLTokenizer.scan(bytes, limits: limits) { tokenizer in
            var scanner = ReferenceScanner(
                documentURL: documentURL, charset: charset, limits: limits,
                isOfForge: isOfForge)
            while let kind = tokenizer.next() { scanner.take(kind, &tokenizer) }
            return scanner.finish(tokenizer.excess)
        }
    }
}
