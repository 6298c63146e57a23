import Tenure
import TenureFoundation
import Web

/// A site whose items are fetched again, as far as that goes by it.
struct RefetchedSite: Sendable {
    let id: UUID
    let url: WebURL
    let queue: QueueName
    let options: SiteCheckOptions
    /// All items that were there before it are its own.
    let isEnrolled: Bool
    /// Its sitemaps and feeds are to be asked.
    let wantsDiscovery: Bool

    var scope: Scope { Scope(start: url) }

    /// - Throws: `ContentError` where its URL or its options can't be read.
    init(_ row: ReadRefetchedSite.Row) throws {
        id = row.id
        url = try CheckableURL.parse(row.url)
        options = try SiteCheckOptions.decode(row.options)
        queue = options.queue
        isEnrolled = row.isEnrolled
        wantsDiscovery = row.wantsDiscovery
    }
}
