import HTTPTransport
import Web

/// Fetches pages and reads them as a site check does, and keeps nothing: what fetching costs
/// without a database. `tenure-bench` measures it.
package struct PageReading: Sendable {
    private let visitor: Visitor
    private let policy: RequestPolicy

    /// For pages of this machine alone.
    package init() throws {
        let configuration = ContentConfiguration()
        visitor = Visitor(transport: try ContentJobs.curl(configuration))
        policy = RequestPolicy(
            userAgent: ContentConfiguration.userAgent(contact: nil), limits: configuration.limits,
            addresses: AddressPolicy(allowed: [try CIDR("127.0.0.0/8")]))
    }

    /// - Returns: how many references the page has.
    /// - Throws: `ContentError` with `.refusedURL` for what was no page.
    package func read(_ url: String) async throws -> Int {
        let url = try WebURL.parse(url)
        let visit = try await visitor.get(url, policy, wanted: .pages)
        guard let document = visit.document, let page = ScannedPage(document) else {
            throw ContentError(.refusedURL, "\(url) is no page: \(visit.code ?? "nothing to read")")
        }
        return SeenDocument(document, of: url, by: visit, page).page.edges.count
    }

    /// How many tokens a document has.
    package static func tokens(in html: [UInt8]) -> Int {
        HTMLTokenizer.scan(html) { tokenizer in
            var count = 0
            while tokenizer.next() != nil { count += 1 }
            return count
        }
    }
}
