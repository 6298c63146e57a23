// docs/decisions/sites.md

import Tenure
import TenureFoundation
import TenureWorker
import Web

/// Writes what a check of a site has to tell, in the transaction that ends the check.
///
/// News is what enters or leaves what is known to be broken on the site: so it is told once,
/// whatever became of the checks in between. The first complete check makes it known, and tells
/// nothing.
struct NoticeWriter: Sendable {
    let pool: PostgresPool
    let client: TenureClient

    /// - Parameter findings: what the check has found.
    func prepare(
        _ check: StartedCheck, of site: UUID, _ findings: CheckFindings
    ) async throws -> @Sendable (PostgresTransaction) async throws -> Void {
        let report = try await SiteCheck(pool: pool, client: client).report(check, [])
        let rules = try await ListIgnoreRules.all(with: check.options.rules.ignore, in: pool)
        let found = SiteFinding.group(findings.rows, check)
        let result = Result(
            check: check, site: site, found: found,
            confirmed: found.compactMap {
                $0.finding.isConfirmed ? $0.counting(by: rules) : nil
            },
            unsaid: SiteFinding.group(findings.unsaid, check).map(\.id),
            isWhole: findings.isWhole, isComplete: report.isComplete,
            hasRead: !report.wasCancelled && report.pages > 0)
        return { transaction in try await write(result, in: transaction) }
    }

    private struct Result: Sendable {
        let check: StartedCheck
        let site: UUID
        /// Those that are ignored too: they are not mended by that.
        let found: [SiteFinding]
        /// What counts, at the places where it does.
        let confirmed: [SiteFinding]
        /// What else is wrong, and not said.
        let unsaid: [UUID]
        /// Whether nothing else is wrong: what isn't found is mended.
        let isWhole: Bool
        let isComplete: Bool
        /// Enough to say what is known from now on: a page that is never let through would keep
        /// its site silent for ever.
        let hasRead: Bool
    }

    private func write(_ result: Result, in transaction: PostgresTransaction) async throws {
        // Removed meanwhile, or another check has taken this one's place.
        guard let site = try await transaction.execute(LockSite(id: result.site)).first,
            site.lastCheck == result.check.id
        else { return }
        guard site.isKnown || result.isComplete || result.hasRead else { return }
        let confirmed = result.confirmed
        let added = Set(
            try await transaction.execute(
                AddKnownBroken(site: result.site, findings: confirmed)))
        guard site.isKnown else {
            _ = try await transaction.execute(NoteKnown(site: result.site))
            return
        }
        let mended = try await mended(of: result, in: transaction)
        let changed =
            site.tellsChanges
            ? try await transaction.execute(ListChangedPages(check: result.check.id)) : []
        let news = News(
            broken: confirmed.filter { added.contains($0.id) }, mended: mended,
            changed: changed)
        if news.isEmpty { return }
        try await tell(news, of: result, to: site.channels, in: transaction)
    }

    private func mended(
        of result: Result, in transaction: PostgresTransaction
    ) async throws -> [Notice.Mend] {
        guard result.isWhole else { return [] }
        let take = TakeMended(
            site: result.site, check: result.check.id,
            wrong: result.found.map(\.id) + result.unsaid,
            isComplete: result.isComplete,
            looksForFragments: result.check.options.rules.checksFragments,
            unlooked: result.check.options.rules.unlooked)
        return try await transaction.execute(take)
            .sorted { ($0.target, $0.fragment ?? "") < ($1.target, $1.fragment ?? "") }
    }

    private struct News {
        let broken: [SiteFinding]
        let mended: [Notice.Mend]
        let changed: [String]

        var isEmpty: Bool { broken.isEmpty && mended.isEmpty && changed.isEmpty }
    }

    private func tell(
        _ news: News, of result: Result, to channels: [String], in transaction: PostgresTransaction
    ) async throws {
        let standing = try await transaction.execute(CountKnownBroken(site: result.site))[0]
        let id = JobID().uuid
        let most = Notice.longestList
        let notice = Notice(
            id: id.uuidString.lowercased(), kind: .check, madeAt: Date(),
            site: URLRedaction.text(result.check.start.href).storable,
            check: result.check.id.uuidString.lowercased(), startedAt: result.check.startedAt,
            counts: Notice.Counts(
                broken: news.broken.count, mended: news.mended.count, changed: news.changed.count,
                standing: standing),
            broken: news.broken.prefix(most).map(\.news), mended: Array(news.mended.prefix(most)),
            changed: news.changed.prefix(most).map { URLRedaction.text($0).storable })
        let queue = result.check.options.queue
        let (_, names) = try await transaction.pipeline(
            AddNotice(
                id: id, site: result.site, check: result.check.id,
                body: try Notice.encode(notice)),
            AddDeliveries(notice: id, channels: channels, queue: queue))
        let jobs = try names.map { try NoticeSend(id, to: $0).job(in: queue) }
        if !jobs.isEmpty { try client.enqueue(jobs, in: transaction) }
    }
}
