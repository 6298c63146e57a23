import Web

/// What was found in a document that has references: a page, or a style sheet.
struct ScannedPage: Sendable {
    var references: [Reference] = []
    var anchors: [Anchor] = []
    var title: String?
    var charset: String?
    var isHTML: Bool
    /// What relative URLs are resolved against, where the document says so itself.
    var base: WebURL?
    /// No limit cut anything off.
    var isComplete: Bool

    static let limits: HTMLLimits = {
        var limits = HTMLLimits()
        limits.maxReferences = 200_000
        limits.maxTokens = 5_000_000
        limits.maxAnchors = 500_000
        return limits
    }()

    /// Nil for a document that nothing is read from.
    init?(_ document: FetchedDocument) {
        guard let body = document.body else { return nil }
        let isHTML: Bool
        switch DocumentKind(document.mediaType, body) {
        case .page: isHTML = true
        case .sheet: isHTML = false
        case .xml, .text, .other: return nil
        }
        let text = DecodedText(
            body, headerCharset: document.mediaType?.charset, isHTML: isHTML)
        self.init(text, of: document.url, isHTML: isHTML, limits: Self.limits)
    }

    /// A page, or a style sheet.
    init(_ text: DecodedText, of url: WebURL, isHTML: Bool, limits: HTMLLimits) {
        self.isHTML = isHTML
        charset = text.charset.name
        if isHTML {
            let scan = HTMLReferences.scan(
                text.bytes, documentURL: url, charset: text.charset, limits: limits)
            references = scan.references
            anchors = scan.anchors
            title = scan.title
            base = scan.base
            isComplete = scan.excess.isEmpty
        } else {
            references = CSSReferences.scan(text.bytes, sheetURL: url, limits: limits)
            isComplete = references.count < limits.maxReferences
        }
    }
}
