import Tenure
import TenureFoundation
import Web

/// Starts the check of a site, one at a time: by a tick, or because somebody asks.
struct SiteStart: Sendable {
    let pool: PostgresPool
    let client: TenureClient

    /// What is known before the site's row is locked.
    struct Prepared: Sendable {
        let site: UUID
        let start: WebURL
        let options: SiteCheckOptions
        /// The last check, and why the next can't begin yet.
        let lastCheck: UUID?
        let refusal: String?
    }

    enum Result: Sendable {
        case begun(UUID)
        /// Why not.
        case skipped(String)
    }

    private var check: SiteCheck { SiteCheck(pool: pool, client: client) }

    /// - Parameter isAskedFor: by somebody, now.
    /// - Returns: nil for a site that isn't there any more.
    /// - Throws: `ContentError` when it can't be checked as it stands.
    func prepare(_ id: UUID, isAskedFor: Bool) async throws -> Prepared? {
        guard let site = try await pool.execute(ReadSite(id: id)).first else { return nil }
        let start = try CheckableURL.parse(site.url)
        var options = try site.readOptions()
        try await check.requirePermission(for: [start], options)
        var refusal: String?
        if let last = site.lastCheck, try await check.goesOn(last) {
            refusal = Self.refusal(of: last, since: site.begunAt)
        }
        options.isAskedFor = isAskedFor
        return Prepared(
            site: id, start: start, options: options, lastCheck: site.lastCheck,
            refusal: refusal)
    }

    /// Whoever holds the site's row decides: of two that come at once the second finds the other's.
    func begin(_ prepared: Prepared, in transaction: PostgresTransaction) async throws -> Result {
        if let refusal = prepared.refusal { return .skipped(refusal) }
        let locked = try await transaction.execute(LockSite(id: prepared.site))
        guard let locked = locked.first else { return .skipped("the site was removed") }
        guard locked.lastCheck == prepared.lastCheck else {
            return .skipped(Self.refusal(of: locked.lastCheck ?? prepared.site, since: nil))
        }
        let id = JobID().uuid
        _ = try await transaction.execute(NoteSiteBegun(site: prepared.site, check: id))
        try await check.start(
            prepared.site, at: prepared.start, prepared.options, as: id, in: transaction)
        return .begun(id)
    }

    private static func refusal(of check: UUID, since: Date?) -> String {
        let when = since.map { " of \($0.formatted(.iso8601))" } ?? ""
        return "the check\(when) still runs: \(check.uuidString.lowercased())"
    }
}
