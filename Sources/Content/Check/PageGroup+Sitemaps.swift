import HTTPTransport
import Tenure
import TenureWorker
import Web

/// Sitemaps that a check begins at, with those that they name.
extension PageGroup {
    /// What a sitemap names the check begins at, as it did at the sitemap itself: pages, and other
    /// sitemaps, as deep as redirects may lead.
    func begin(
        atThoseIn sitemaps: [WebURL], in transaction: PostgresTransaction
    ) async throws {
        let sitemaps = sitemaps.filter(follows)
        guard !sitemaps.isEmpty, place.hops < Redirects.most else { return }
        // Bounded: just above.
        let hops = place.hops + 1
        let found = try await transaction.execute(
            SpreadCheck(
                check: check, depth: place.depth, hops: hops, pages: sitemaps.map(\.href)))
        try Discovery(
            check: check, parts: parts, context: context, depth: place.depth, hops: hops
        ).enqueue(found, in: transaction)
    }

    /// Other sitemaps are files like others.
    func wanted(_ url: WebURL) -> Visitor.Wanted {
        if check.isServed(url) { return .folderPages }
        guard place.depth == 0 else { return .pages }
        let name = url.path.lowercased()
        return name.hasSuffix(".xml") || name.hasSuffix(".xml.gz") ? .sitemaps : .sitePages
    }
}

extension Visit {
    /// What came for something that is called as sitemaps are: a sitemap, whatever its type; a page
    /// of HTML, as it stands; or nothing that can be read.
    var takenForSitemap: Visit {
        guard state == .ok, let document, let body = document.body else { return self }
        let problem: String
        do {
            let sitemap = try SitemapFile.read(body, charset: document.mediaType?.charset)
            guard sitemap.format == nil else {
                var visit = self
                visit.document?.mediaType = MediaType("application/xml")
                return visit
            }
            if case .page = DocumentKind(document.mediaType, body) { return self }
            problem = "it is no sitemap"
        } catch {
            problem = error.description
        }
        return .failed("badSitemap", problem, status: status)
    }
}
