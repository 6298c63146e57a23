import HTTPTransport
import Web

/// What was found in a document: what it refers to, and what of it can be referred to.
struct ScannedPage: Sendable {
    var edges: [Edge] = []
    /// Each name once.
    var anchors: [Anchor] = []
    var title: String?
    var charset: String?
    /// Whether it has places that can be referred to, as HTML has them, and Markdown.
    var isPage = false
    var isSitemap = false
    /// What relative URLs are resolved against, where the document says so itself.
    var base: WebURL?
    /// No limit cut anything off.
    var isComplete = true

    static let limits: HTMLLimits = {
        var limits = HTMLLimits()
        limits.maxReferences = 200_000
        limits.maxTokens = 5_000_000
        limits.maxAnchors = 500_000
        return limits
    }()

    /// Nothing yet, or of a document that has nothing of it.
    init() {}

    /// Nil for a document that nothing is read from.
    init?(_ document: FetchedDocument) {
        guard let body = document.body else { return nil }
        let isHTML: Bool
        switch DocumentKind(document.mediaType, body) {
        case .page: isHTML = true
        case .sheet: isHTML = false
        case .markdown:
            self.init(markdown: body, document)
            return
        case .xml, .other:
            self.init(sitemap: body, document)
            return
        case .text: return nil
        }
        let text = DecodedText(
            body, headerCharset: document.mediaType?.charset, isHTML: isHTML)
        self.init(text, of: document.url, isHTML: isHTML, limits: Self.limits)
    }

    /// A page, or a style sheet.
    init(_ text: DecodedText, of url: WebURL, isHTML: Bool, limits: HTMLLimits) {
        isPage = isHTML
        charset = text.charset.name
        if isHTML {
            let scan = HTMLReferences.scan(
                text.bytes, documentURL: url, charset: text.charset, limits: limits)
            edges = scan.references.map { Edge($0) }
            anchors = Self.storable(scan.anchors)
            title = scan.title.map(\.storable)
            base = scan.base
            isComplete = scan.excess.isEmpty
        } else {
            edges = CSSReferences.scan(text.bytes, sheetURL: url, limits: limits).map { Edge($0) }
            isComplete = edges.count < limits.maxReferences
        }
    }

    /// Markdown is in UTF-8 (RFC 7763 has a charset for others; no forge reads it).
    private init(markdown body: [UInt8], _ document: FetchedDocument) {
        isPage = true
        charset = Charset.utf8.name
        let scan = MarkdownReferences.scan(
            body, documentURL: document.url, limits: Self.limits)
        edges = scan.references.map { Edge($0) }
        anchors = Self.storable(scan.anchors)
        isComplete = scan.isComplete
    }

    /// Nil for what is no sitemap.
    private init?(sitemap body: [UInt8], _ document: FetchedDocument) {
        let sitemap: Sitemap
        do {
            sitemap = try SitemapFile.read(body, charset: document.mediaType?.charset)
        } catch {
            return nil  // a file like others
        }
        guard sitemap.format != nil else { return nil }
        edges =
            zip(sitemap.urls, sitemap.positions).map { Edge(located: $0, at: $1) }
            + sitemap.unusableEntries.map { Edge(unusable: $0.raw, at: $0.position) }
        isSitemap = true
        isComplete = !sitemap.isTruncated
    }

    /// By their bytes, as browsers and the database tell names apart: two that look the same may be
    /// composed in different ways.
    private static func storable(_ anchors: [Anchor]) -> [Anchor] {
        var names: Set<[UInt8]> = []
        return anchors.compactMap { anchor in
            let name = anchor.name.storable
            guard names.insert(Array(name.utf8)).inserted else { return nil }
            return Anchor(name: name, position: anchor.position)
        }
    }
}
