import HTTPTransport
import Web

/// What a sitemap, an index of them, or a feed names.
struct NamedPages: Sendable {
    var pages: [WebURL] = []
    var sitemaps: [WebURL] = []
    /// Why not all of it was read, in one line.
    var problem: String?

    init(_ body: [UInt8], of document: FetchedDocument) {
        let text: [UInt8]
        do {
            text = try SitemapFile.text(body, charset: document.mediaType?.charset)
        } catch {
            problem = error.description
            return
        }
        let sitemap = Sitemap(text)
        switch sitemap.format {
        case .pages: pages = sitemap.urls
        case .index: sitemaps = sitemap.urls
        case nil:
            let feed = Feed(text, documentURL: document.url)
            guard feed.format != nil else {
                problem = "neither a sitemap nor a feed"
                return
            }
            pages = feed.items.compactMap { $0.link?.withoutFragment }
            if feed.isTruncated { problem = "the feed has more entries than are read" }
        }
        if sitemap.isTruncated {
            problem = "more than the limits allow; \(sitemap.urls.count) URLs were read"
        }
        if sitemap.unusable > 0 {
            problem = problem ?? "\(sitemap.unusable) entries are no http or https URL"
        }
    }
}
