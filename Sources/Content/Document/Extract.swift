import HTTPTransport
import Web

/// What a document says: its fields, its text, what it refers to and what can be referred to in it.
struct Extract: Sendable {
    var page = ScannedPage()
    var fields: [FieldName: FetchedField] = [:]
    /// Of the main text.
    var words = 0
    var suspicion: Suspicion?

    /// - Parameter asked: the URL that the fetch began at.
    init(_ document: FetchedDocument, asked: WebURL, limits: FetchLimits? = nil) {
        guard let body = document.body else { return }
        let html = limits?.lowering(HTMLLimits()) ?? HTMLLimits()
        switch DocumentKind(document.mediaType, body) {
        case .page: readPage(document, body, html)
        case .sheet: readSheet(document, body, html)
        case .xml: readFeed(document, body, html)
        case .text, .markdown: readText(document, body)
        case .other: break
        }
        if let language = document.headers["Content-Language"]?.split(separator: ",").first {
            fill(.language, String(language), .header)
        }
        suspicion = suspicion ?? Suspicion.ofDetour(from: asked, to: document.url)
    }

    private mutating func readPage(
        _ document: FetchedDocument, _ body: [UInt8], _ limits: HTMLLimits
    ) {
        let text = DecodedText(body, headerCharset: document.mediaType?.charset, isHTML: true)
        page = ScannedPage(text, of: document.url, isHTML: true, limits: limits)
        let tree = HTMLTree(text.bytes, limits: limits)
        page.isComplete = page.isComplete && tree.excess.isEmpty
        let main = MainText(tree)
        words = main.wordCount
        take(PageMetadata(tree, baseURL: page.base ?? document.url))
        fill(.text, main.text, .text)
        fill(.excerpt, main.excerpt, .text)
        if let image = main.image.flatMap({ WebURL($0, base: page.base ?? document.url) }),
            image.isHTTP
        {
            fill(.image, image.href, .text)
        }
        suspicion = Suspicion.of(
            PageLook(
                title: fields[.title]?.value ?? "", text: main.text, words: words,
                source: text.bytes, url: document.url))
    }

    private mutating func readSheet(
        _ document: FetchedDocument, _ body: [UInt8], _ limits: HTMLLimits
    ) {
        let text = DecodedText(body, headerCharset: document.mediaType?.charset, isHTML: false)
        page = ScannedPage(text, of: document.url, isHTML: false, limits: limits)
    }

    private mutating func readText(_ document: FetchedDocument, _ body: [UInt8]) {
        let decoded = DecodedText(body, headerCharset: document.mediaType?.charset, isHTML: false)
        page.charset = decoded.charset.name
        let text = String(decoding: decoded.bytes.prefix(Self.longestText), as: UTF8.self)
        words = WordCount.count(text)
        fill(.text, text, .text)
        let start = text.prefix(300).split(whereSeparator: \.isWhitespace)
        fill(.excerpt, start.joined(separator: " "), .text)
    }

    private static let longestText = 4 << 20

    // MARK: Fields

    private mutating func take(_ page: PageMetadata) {
        fill(.title, page.title)
        fill(.authors, page.authors) { $0.joined(separator: "; ") }
        fill(.published, page.published) { DateTimeText.text($0) }
        fill(.modified, page.modified) { DateTimeText.text($0) }
        fill(.siteName, page.siteName)
        fill(.language, page.language)
        fill(.description, page.description)
        fill(.image, page.image) { $0.href }
    }

    private mutating func fill(_ name: FieldName, _ field: PageMetadata.Field<String>?) {
        fill(name, field) { $0 }
    }

    private mutating func fill<Value>(
        _ name: FieldName, _ field: PageMetadata.Field<Value>?, _ text: (Value) -> String
    ) {
        guard let field else { return }
        fill(name, text(field.value), FieldSource(field.source))
    }

    /// The first that says something counts.
    mutating func fill(_ name: FieldName, _ value: String?, _ source: FieldSource) {
        guard let value, fields[name] == nil else { return }
        let plain = value.hasNUL ? value.replacing("\0", with: "\u{FFFD}") : value
        guard plain.contains(where: { !$0.isWhitespace }) else { return }
        fields[name] = FetchedField(value: plain, source: source)
    }
}

extension FieldSource {
    fileprivate init(_ source: PageMetadata.Source) {
        switch source {
        case .jsonLD: self = .jsonLD
        case .openGraph: self = .openGraph
        case .twitter: self = .twitter
        case .html: self = .html
        }
    }
}
