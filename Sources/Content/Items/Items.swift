public import Tenure
import Web

/// What was fetched, to look at.
public struct Items: Sendable {
    let pool: PostgresPool

    public init(pool: PostgresPool) { self.pool = pool }

    /// What is kept of a URL; nil when nobody has tried to fetch it.
    /// - Throws: `ContentError` with `.refusedURL` for what is never fetched.
    public func item(url: String) async throws -> Item? {
        let url = try CheckableURL.parse(url)
        return try await pool.execute(DescribeItem(url: url.href)).first
    }
}

extension ContentFetch {
    /// A fetch that somebody asked for: of a URL that may be fetched, in its normal form.
    /// - Parameter allowed: blocks of addresses that may be reached although they aren't public.
    /// - Throws: `ContentError` with `.refusedURL`.
    public init(
        checking url: String, mode: Mode = .article, force: Bool = false, allowed: [String] = []
    ) throws {
        let checked = try CheckableURL.parse(url)
        _ = try CheckableURL.isOwn(checked, allowed: allowed)
        self.init(url: checked.href, mode: mode, force: force)
    }
}
