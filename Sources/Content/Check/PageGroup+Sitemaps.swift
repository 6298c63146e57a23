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
        let found = try await spread(
            SpreadCheck(
                check: check, depth: place.depth, hops: hops, pages: sitemaps.map(\.href)),
            in: transaction)
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

    /// What came for something that is called as sitemaps are: a sitemap, whatever its type; or
    /// what it was without that. What can't be read is told of where the file says what it is, or
    /// a sitemap has named it.
    func takenForSitemap(_ visit: Visit, _ url: WebURL) -> Visit {
        if place.hops == 0, let code = visit.code, Self.tooLarge.contains(code) {
            // It is there, and large: nobody would have read it for another reason.
            return Visit(state: .ok, status: visit.status)
        }
        guard visit.state == .ok, visit.status != 304, let document = visit.document,
            let body = document.body
        else { return visit }
        do {
            let sitemap = try SitemapFile.read(body, charset: document.mediaType?.charset)
            if sitemap.format != nil {
                var visit = visit
                visit.document?.mediaType = MediaType("application/xml")
                return visit
            }
        } catch {
            return .failed("badSitemap", error.description, status: visit.status)
        }
        if case .page = DocumentKind(document.mediaType, body) { return visit }
        // Feeds and whatever else is XML have such names, too.
        let name = url.path.split(separator: "/").last?.lowercased() ?? ""
        return place.hops > 0 && name.contains("sitemap")
            ? .failed("badSitemap", "it is no sitemap", status: visit.status) : visit
    }

    private static let tooLarge = [
        HTTPTransportError.Code.bodyTooLarge, .bombRatio,
    ].map(\.rawValue)
}
