import FoundationEssentials
import HTTPTransport
import Web

/// Everything that a run's visit says of an item.
struct FetchedItem: Sendable {
    let url: WebURL
    let finalURL: WebURL
    let status: Int?
    let body: [UInt8]?
    let mediaType: String?
    let etag: String?
    let lastModified: String?
    let freshFor: Duration
    /// A JSON array of the redirects on the way, or nil.
    var redirects: String?
    let charset: String?
    let title: String?
    let isComplete: Bool
    let isHTML: Bool
    let edges: [Edge]
    let anchors: [Anchor]

    init(url: WebURL, _ document: FetchedDocument, status: Int?, page: ScannedPage?) {
        self.url = url
        finalURL = document.url.withoutFragment
        self.status = status
        body = document.body
        mediaType = document.mediaType?.essence
        etag = document.headers["ETag"].map(Edge.storable)
        lastModified = document.headers["Last-Modified"].map(Edge.storable)
        let cache = document.headers["Cache-Control"].map { CacheControl($0) } ?? CacheControl()
        freshFor = cache.noCache || cache.noStore ? .zero : cache.maxAge ?? .zero
        charset = page?.charset
        title = page?.title.map(Edge.storable)
        isComplete = page?.isComplete ?? false
        isHTML = page?.isHTML ?? false
        edges = page?.references.map { Edge($0) } ?? []
        anchors = page?.storableAnchors ?? []
    }

    /// Every URL that is referred to, once, in the order of the document.
    var targets: [WebURL] { edges.uniqueTargets }
}

extension [Edge] {
    /// Every URL that is referred to, once, in the order of the document.
    var uniqueTargets: [WebURL] {
        var seen: Set<WebURL> = []
        return compactMap(\.target).filter { seen.insert($0).inserted }
    }
}
