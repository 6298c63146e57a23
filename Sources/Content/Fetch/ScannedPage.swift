import Web

/// What was found in a document that has references: a page, or a style sheet.
struct ScannedPage: Sendable {
    var references: [Reference] = []
    var anchors: [Anchor] = []
    var title: String?
    var charset: String?
    var isHTML: Bool
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
        guard let body = document.body, let mediaType = document.mediaType else { return nil }
        isHTML = mediaType.isHTML
        guard isHTML || mediaType.essence == "text/css" else { return nil }
        let text = DecodedText(body, headerCharset: mediaType.charset, isHTML: isHTML)
        charset = text.charset.name
        if isHTML {
            let scan = HTMLReferences.scan(
                text.bytes, documentURL: document.url, limits: Self.limits)
            references = scan.references
            anchors = scan.anchors
            title = scan.title
            isComplete = scan.excess.isEmpty
        } else {
            references = CSSReferences.scan(
                text.bytes, sheetURL: document.url, limits: Self.limits)
            isComplete = references.count < Self.limits.maxReferences
        }
    }
}
