import Content
import Tenure
import TenureFoundation

/// For programs: how a site's items are fetched again, and, where one site was asked for, how that
/// stands.
struct RefetchOutput: Encodable {
    let minSeconds: Double
    let maxSeconds: Double
    let discovers: Bool
    @OrNull var due: Int?
    @OrNull var enqueued: Int?
    @OrNull var nextAt: Date?
    @OrNull var lastAt: Date?
    @OrNull var why: String?
    @OrNull var sitemaps: Int?
    @OrNull var sitemapURLs: Int?
    @OrNull var added: Int?
    @OrNull var sitemapProblem: String?

    /// Nil where they aren't.
    init?(_ site: Site) {
        guard let refetch = site.refetch else { return nil }
        minSeconds = refetch.bounds.shortest / .seconds(1)
        maxSeconds = refetch.bounds.longest / .seconds(1)
        discovers = refetch.discovers
        let progress = site.refetchProgress
        due = progress?.due
        enqueued = progress?.enqueued
        nextAt = progress?.nextAt
        lastAt = progress?.lastAt
        why = progress?.why
        sitemaps = progress?.sitemaps
        sitemapURLs = progress?.urls
        added = progress?.added
        sitemapProblem = progress?.problem.map { URLRedaction.text($0) }
    }
}

/// The same for people.
enum SiteRefetchText {
    static func add(_ site: Site, to sheet: inout Sheet) {
        guard let refetch = site.refetch else { return }
        let least = DurationText.format(refetch.bounds.shortest)
        sheet.add(
            "refetched", "every \(least) to \(DurationText.format(refetch.bounds.longest))")
        guard let progress = site.refetchProgress else { return }
        sheet.add("due", "\(progress.due) now, \(progress.enqueued) enqueued")
        sheet.add("next due", progress.nextAt.map { TimeText.full($0) })
        sheet.add("kept waiting", progress.why)
        guard refetch.discovers else { return }
        sheet.add(
            "sitemaps",
            "\(progress.sitemaps), with \(progress.urls) URLs; \(progress.added) were new")
        sheet.add("sitemap problem", progress.problem.map { URLRedaction.text($0) })
    }
}
