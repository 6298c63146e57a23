import HTTPTransport
import Web

/// The document that a request has brought, a fetch's or a check's: all that its item says of it.
struct SeenDocument: Sendable {
    /// Of the item.
    let url: WebURL
    let finalURL: WebURL
    let status: Int?
    let mediaType: String?
    let headers: ResponseHeaders
    let freshFor: Duration
    /// SHA-256 of the body.
    let hash: [UInt8]
    let bytes: Int
    let page: ScannedPage
    let targets: PageTargets
    /// A JSON array of the redirects on the way, or nil.
    var redirects: String?

    init(_ document: FetchedDocument, of url: WebURL, by answer: Visit?, _ page: ScannedPage) {
        self.url = url
        self.page = page
        finalURL = document.url.withoutFragment
        status = answer?.status
        mediaType = document.mediaType?.essence
        headers = ResponseHeaders(document.headers)
        freshFor = headers.freshness(answer?.figures)
        hash = SHA256.digest(document.body ?? [])
        bytes = document.body?.count ?? 0
        targets = PageTargets(page.edges)
    }
}

extension Visit {
    /// How long what came may be used unasked.
    var freshFor: Duration {
        document.map { ResponseHeaders($0.headers).freshness(figures) } ?? .zero
    }
}
