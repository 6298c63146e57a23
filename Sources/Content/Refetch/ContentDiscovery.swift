// docs/decisions/refetching.md

public import Tenure
import TenureFoundation

/// Looks for new pages of a site: asks its robots.txt which sitemaps there are, or reads one of
/// them, or a feed. What they name and nobody has fetched is due at once.
public struct ContentDiscovery: Job {
    public static let kind: JobKind = "content-discovery"
    public static let options = JobOptions<Self>(
        priority: ContentPriority.refetch,
        retry: .exponential(maxAttempts: 3, first: .seconds(10)), timeout: .seconds(600),
        key: { .keeping($0.key) })

    let site: UUID
    /// A sitemap or a feed; nil for the site itself, which says where they are.
    let url: String?
    /// Indexes on the way to it.
    let depth: Int

    /// A sitemap that an index names may be an index, and so on, so often.
    static let deepest = 3

    init(_ site: UUID, url: String? = nil, depth: Int = 0) {
        self.site = site
        self.url = url
        self.depth = depth
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        site = try container.decode(UUID.self, forKey: .site)
        url = try container.decodeIfPresent(String.self, forKey: .url)
        depth = try container.decodeNumber(in: 0...Self.deepest, forKey: .depth) ?? 0
    }

    private enum CodingKeys: String, CodingKey { case site, url, depth }

    public var key: String {
        guard let url else { return "discover \(site.uuidString.lowercased())" }
        return JobKey.make("discover", url, run: site)
    }
}
