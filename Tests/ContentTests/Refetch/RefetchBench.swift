import Content
import Tenure
import TenureCoordinator
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// A site on a real server whose items are fetched again, a clock that a test moves, and the
/// database between them.
struct RefetchBench: Sendable {
    let site: SiteBench
    var pool: PostgresPool { site.pool }
    var web: LocalWeb { site.web }
    var clock: TestClock { TestClock(pool: pool) }
    var name: SiteName { site.name }

    init(_ label: String) async throws { site = try await SiteBench(label) }

    static func configuration(_ hostInterval: Duration = .zero) throws -> ContentConfiguration {
        var configuration = try SiteBench.configuration
        configuration.hostInterval = hostInterval
        return configuration
    }

    func watch(
        queue: QueueName = .default, discovers: Bool = false, _ bounds: RefetchBounds = .init()
    ) async throws {
        var options = SiteBench.options
        options.queue = queue
        var refetch = SiteRefetch()
        (refetch.discovers, refetch.bounds) = (discovers, bounds)
        _ = try await site.sites.add(
            site.url, .every(.seconds(86_400)), options, refetch: refetch)
    }

    var progress: SiteRefetch.Progress {
        get async throws {
            try #require(try await site.sites.site(name).refetchProgress)
        }
    }

    // MARK: Work

    func working(
        _ hostInterval: Duration = .zero, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let configuration = try Self.configuration(hostInterval)
        try await site.fixture.withWorkers(2, configuration: configuration, body)
    }

    /// Fetches pages as somebody does who asks for them.
    func fetch(_ paths: String..., mode: ContentFetch.Mode = .article) async throws {
        for path in paths {
            let fetch = ContentFetch(url: web.url + path, mode: mode)
            try await site.fixture.client.enqueue(
                fetch, .keeping(fetch.key), options: fetch.options(Self.configuration()))
        }
        try await settle()
    }

    /// One round, and nothing of what it enqueues.
    func round(_ hostInterval: Duration = .zero) async throws {
        let job = ContentRefetch()
        try await site.fixture.client.enqueue(job, .keeping("schedule:content-refetch"))
        let gone = "SELECT NOT EXISTS (SELECT FROM tenure.job WHERE kind = 'content-refetch')"
        let kinds = [ContentFetch.kind, ContentDiscovery.kind]
        let hand = Operator(client: site.fixture.client, as: "ada")
        for kind in kinds { try await hand.pause(kind: kind) }
        try await working(hostInterval) { try await site.eventually(gone) }
        for kind in kinds { _ = try await hand.resume(kind: kind) }
    }

    /// A round, a minute, and all that is due then.
    func refetch() async throws {
        try await round()
        try await clock.advance(by: .seconds(60))
        try await settle()
    }

    func settle() async throws {
        // Workers that are stopped while they begin say so.
        if try await count("tenure.job WHERE run_at <= clock_timestamp() + interval '1 s'") == 0 {
            return
        }
        try await working { try await clock.settled() }
    }

    // MARK: What is there

    func requests(_ path: String) -> Int { web.requests(path).count }

    /// Items that nobody has fetched, due, with the URLs of this server.
    func addDue(_ count: Int) async throws {
        try await pool.query(
            """
            INSERT INTO content.item (id, url, site, outcome, due_at)
            SELECT content.digest(u.url), u.url, s.id, 'failed',
                   clock_timestamp() - n * interval '1 s'
            FROM content.site s, generate_series(1, $1) AS n,
                 LATERAL (SELECT s.url || n) AS u (url)
            """, [Int32(count)])
    }

    func makeDue() async throws {
        try await pool.query("UPDATE content.item SET due_at = content.now(), fresh_until = NULL")
    }

    func count(_ sql: String) async throws -> Int64 {
        try await site.value("SELECT count(*) FROM \(sql)")
    }

    /// Seconds until an item is due.
    func due(_ path: String) async throws -> Double {
        try await pool.query(
            """
            SELECT extract(epoch FROM i.due_at - content.now())::float8
            FROM content.item i WHERE i.url = $1
            """, [web.url + path]
        ) { try $0.decode(0, as: Double.self) }[0]
    }

    static func page(_ text: String, etag: String, _ more: String...) -> LocalWeb.Answer {
        LocalWeb.Answer(
            headers: ["Content-Type: text/html", "ETag: \"\(etag)\""] + more,
            body: Array(ContentTests.page(text, words: 60).utf8))
    }
}
