public import Tenure
import TenureFoundation
import Web

/// Says what happened to a URL, which rule holds it back, and when it is tried next.
public struct Explainer: Sendable {
    private let pool: PostgresPool
    private let client: TenureClient
    private let queue: QueueName

    /// - Parameter queue: whose lanes the host is looked up in.
    public init(client: TenureClient, pool: PostgresPool, queue: QueueName = .default) {
        self.pool = pool
        self.client = client
        self.queue = queue
    }

    /// Changes nothing and asks nobody.
    /// - Throws: `ContentError` with `.refusedURL` for what is never fetched.
    public func explain(_ text: String) async throws -> Explanation {
        let url = try CheckableURL.parse(text)
        let hosts = Hosts(client: client, pool: pool, queue: queue)
        let known = try await pool.execute(ReadHosts(url: url, wantsRobots: true)).first
        return Explanation(
            url: url.href,
            item: try await pool.execute(DescribeItem(id: Digest.id(of: url.href))).first,
            target: try await pool.execute(DescribeTarget(url: url.href)).first,
            events: try await pool.execute(ListTargetEvents(url: url.href)),
            jobs: try await jobs(url),
            host: try await hosts.status(of: url.host ?? ""),
            hostHoldUntil: known.flatMap { $0.hold > .zero ? $0.holdUntil : nil },
            robots: Self.robots(url, known))
    }

    private static func robots(_ url: WebURL, _ known: ReadHosts.Row?) -> RobotsAnswer {
        guard let known else { return .unknown }
        if known.isOwn { return .notAsked }
        guard known.isFresh else { return .unknown }
        guard let robots = known.robots else { return .allowed }
        let isAllowed = Robots(robots).isAllowed(
            url, userAgent: ContentConfiguration.productToken)
        return isAllowed ? .allowed : .disallowed
    }

    /// By their keys. Those of a check have none.
    private func jobs(_ url: WebURL) async throws -> [ExplainedJob] {
        let fetches = ContentFetch.Mode.allCases.flatMap { mode in
            let fetch = ContentFetch(url: url.href, mode: mode)
            return [fetch, fetch.lookForMissing(at: url.href)].map { (ContentFetch.kind, $0.key) }
        }
        let looks = TargetLook.all(at: url.href).map { (JobKind.dependencyCheck, $0.key) }
        let inspector = Inspector(pool: pool)
        var found: [ExplainedJob] = []
        for (kind, key) in fetches + looks {
            var filter = JobFilter()
            (filter.kind, filter.key, filter.finished, filter.limit) = (kind, key, true, 3)
            for summary in try await inspector.jobs(filter) {
                guard let job = try await inspector.job(summary.id) else { continue }
                found.append(ExplainedJob(job: job, delays: try await inspector.delays(of: job)))
            }
        }
        return found.sorted { a, b in
            let (a, b) = (a.job.summary, b.job.summary)
            return a.status.isFinished == b.status.isFinished
                ? a.id > b.id : !a.status.isFinished
        }
    }
}
