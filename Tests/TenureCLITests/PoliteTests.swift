import Content
import Foundation
import Tenure
import Testing

/// Six worker processes and many hosts: how fast each host is asked, as the host itself sees it.
/// `bin/test polite` asks for the long form.
@Suite(.serialized) struct PoliteTests {
    private struct Plan {
        let hosts: Int
        let jobs: Int
        let interval: Duration
        let workers = 6
        /// How much sooner after its predecessor one may come than that one's lateness explains.
        let slack: Duration
        /// How much longer than the ideal it may take in all.
        let most: Double
        /// Robots.txt is a host's first turn.
        var ideal: Duration { interval * (jobs / hosts) }

        static var asked: Plan {
            ProcessInfo.processInfo.environment["TENURE_POLITE"] == "full"
                ? Plan(
                    hosts: 20, jobs: 2000, interval: .milliseconds(400), slack: .milliseconds(50),
                    most: 1.15)
                : Plan(
                    hosts: 20, jobs: 300, interval: .milliseconds(500), slack: .milliseconds(150),
                    most: 1.35)
        }
    }

    /// Alone on the machine, or the server's log tells of the machine: a part of its own.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["TENURE_POLITE"] != nil))
    func `many workers ask each host in its own time, and lose none`() async throws {
        let plan = Plan.asked
        let fixture = try await Fixture()
        // Some hosts take longer than their interval: two requests overlap, never three.
        let sites = try SlowSites { host in
            host.hasSuffix("0.1") ? plan.interval * 6 / 5 : .milliseconds(30)
        }
        defer { sites.stop() }
        try await enqueue(plan, sites.port, fixture)
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.0/8")
            .with("TENURE_CONTENT_HOST_INTERVAL", "\(plan.interval / .milliseconds(1))ms")
            .with("TENURE_CONTENT_CONTACT", "tests@example.org")
        let workers = try (0..<plan.workers).map { _ in
            try tenure.start("worker", "--queue", "default:40", "--log-level", "error")
        }
        try await fixture.eventually(
            "all are done", within: .seconds(300), "SELECT count(*) = 0 FROM tenure.job")
        for worker in workers { worker.send(SIGTERM) }
        for worker in workers {
            let result = try await worker.result()
            #expect(result.code == 0, "\(result.errors.prefix(500))")
        }
        try await judgeClaims(plan, fixture)
        judgeRequests(plan, sites, try await claims(fixture))
        #expect(
            try await fixture.value(
                "SELECT count(*) FROM content.item WHERE outcome = 'stored'") == Int64(plan.jobs))
    }

    private func enqueue(_ plan: Plan, _ port: Int, _ fixture: Fixture) async throws {
        var configuration = ContentConfiguration()
        configuration.hostInterval = plan.interval
        let jobs = try (0..<plan.jobs).map { number in
            let host = number % plan.hosts
            let fetch = ContentFetch(
                url: "http://127.0.\(host % 2).\(host / 2 + 1):\(port)/\(number)")
            return try NewJob(fetch, .keeping(fetch.key), options: fetch.options(configuration))
        }
        try await fixture.client.enqueue(jobs)
    }

    /// Exact at the claim: by the database's own record of each job's last claim.
    private func judgeClaims(_ plan: Plan, _ fixture: Fixture) async throws {
        let least = try await fixture.value(
            """
            SELECT min(extract(epoch FROM c.pause) * 1000)::float8 FROM (
                SELECT claimed_at - lag(claimed_at) OVER (PARTITION BY lane ORDER BY claimed_at)
                    AS pause
                FROM tenure.job_history) AS c
            """, as: Double.self)
        print("polite: least pause between two claims of a host: \(least) ms")
        #expect(least >= plan.interval / .milliseconds(1))
        #expect(
            try await fixture.value(
                "SELECT count(*) FROM tenure.job_history WHERE outcome = 'completed'")
                == Int64(plan.jobs))
    }

    /// When the job of each URL was claimed for the last time, in seconds since 1970.
    private func claims(_ fixture: Fixture) async throws -> [String: Double] {
        let rows = try await fixture.pool.query(
            """
            SELECT payload->>'url', extract(epoch FROM claimed_at)::float8 FROM tenure.job_history
            """
        ) { (try $0.decode(0, as: String.self), try $0.decode(1, as: Double.self)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// A request may come late, and only then the next one too soon after it, by as much: how long
    /// one is on its way is up to the machine. None comes before its claim.
    private func judgeRequests(
        _ plan: Plan, _ sites: SlowSites, _ claims: [String: Double]
    ) {
        let requests = sites.requests
        func lateness(_ request: SlowSites.Request) -> Duration {
            let place = "\(request.host):\(sites.port)\(request.path)"
            guard let claimed = claims["http://\(place)"] else { return .zero }
            return .seconds(request.date.timeIntervalSince1970 - claimed)
        }
        let hosts = Dictionary(grouping: requests, by: \.host)
        #expect(hosts.count == plan.hosts)
        var pauses: [Duration] = []
        var early = 0
        var overlap = 0
        for requests in hosts.values {
            let inOrder = requests.sorted { $0.start < $1.start }
            for (request, next) in zip(inOrder, inOrder.dropFirst()) {
                let pause = request.start.duration(to: next.start)
                pauses.append(pause)
                if pause + lateness(request) < plan.interval - plan.slack { early += 1 }
            }
            for request in inOrder {
                overlap = max(
                    overlap,
                    inOrder.count { $0.start <= request.start && request.start < $0.end })
            }
        }
        let least = pauses.min() ?? .zero
        let late = requests.map(lateness)
        #expect(late.allSatisfy { $0 > .milliseconds(-20) }, "one came before its claim")
        let start = requests.map(\.start).min() ?? .now
        let took = start.duration(to: requests.map(\.end).max() ?? .now)
        let ratio = took / plan.ideal
        print(
            """
            polite: \(requests.count) requests, \(hosts.count) hosts, \(plan.workers) workers, \
            interval \(plan.interval); least pause at the server \(least), \(early) too soon by \
            more than \(plan.slack) and its predecessor's lateness, \(late.max() ?? .zero) at \
            most; most at a time \(overlap); took \(took), ideal \(plan.ideal), ratio \(ratio)
            """)
        #expect(early == 0)
        #expect(overlap <= 2)
        #expect(ratio <= plan.most)
    }
}
