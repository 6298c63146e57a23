import FoundationEssentials
public import Tenure
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
        let known = try await pool.execute(ReadHost(url: url, wantsRobots: true)).first
        return Explanation(
            url: url.href, item: try await pool.execute(DescribeItem(url: url.href, id: nil)).first,
            target: try await pool.execute(DescribeTarget(url: url.href)).first,
            events: try await pool.execute(ListTargetEvents(url: url.href)),
            jobs: try await jobs(url),
            host: try await hosts.status(of: url.host ?? ""),
            hostHoldUntil: known.flatMap { $0.hold > .zero ? $0.holdUntil : nil },
            robots: Self.robots(url, known))
    }

    private static func robots(_ url: WebURL, _ known: ReadHost.Row?) -> RobotsAnswer {
        guard let known else { return .unknown }
        if known.isOwn { return .notAsked }
        guard known.isFresh else { return .unknown }
        guard let robots = known.robots else { return .allowed }
        let isAllowed = Robots(robots).isAllowed(
            url, userAgent: ContentConfiguration.productToken)
        return isAllowed ? .allowed : .disallowed
    }

    /// By their keys: those of single fetches and checks, and those of runs that visit it.
    private func jobs(_ url: WebURL) async throws -> [ExplainedJob] {
        let runs = try await pool.execute(ListRunsOf(url: url.href))
        let modes: [(JobKind, String)] = [
            (ContentFetch.kind, "article"), (ContentFetch.kind, "metadata"),
            (ContentFetch.kind, "file"), (DependencyCheck.kind, "target"),
            (DependencyCheck.kind, "changed"),
        ]
        // Of no run: looks that come by themselves.
        let looks: [(JobKind, String)] = [
            (DependencyCheck.kind, "confirm"), (ContentFetch.kind, "again article"),
            (ContentFetch.kind, "again metadata"),
        ]
        let inspector = Inspector(pool: pool)
        var found: [ExplainedJob] = []
        for run in [nil] + runs.map(Optional.some) {
            for (kind, mode) in modes + (run == nil ? looks : []) {
                var filter = JobFilter()
                filter.kind = kind
                filter.key = JobKey.make(mode, url.href, run: run)
                filter.finished = true
                filter.limit = 3
                for summary in try await inspector.jobs(filter) {
                    guard let job = try await inspector.job(summary.id) else { continue }
                    found.append(
                        ExplainedJob(job: job, delays: try await inspector.delays(of: job)))
                }
            }
        }
        return found.sorted { a, b in
            let (a, b) = (a.job.summary, b.job.summary)
            return a.status.isFinished == b.status.isFinished
                ? a.id > b.id : !a.status.isFinished
        }
    }
}
