import Content
import Tenure
import TenureCoordinator
import TenureFoundation
import TestSupport
import Testing

/// What goes first where all of it waits for one host.
@Suite struct PriorityTests {
    /// How many wait, and how many are asked for then.
    private static let (looks, fetches) = (1000, 30)

    private static var configuration: ContentConfiguration {
        get throws {
            var configuration = ContentConfiguration()
            configuration.hostInterval = .milliseconds(20)
            configuration.changePause = .milliseconds(10)
            configuration.contact = "tests"
            try configuration.allow(["127.0.0.1"])
            return configuration
        }
    }

    @Test func `fetches that are asked for go before the looks that others have made`()
        async throws
    {
        let bench = try await FetchBench("first")
        let configuration = try Self.configuration
        let links = (0..<Self.looks).map { "<a href=/l\($0)>l</a>" }.joined()
        bench.web.answer("/many", .page(links))
        for number in 0..<Self.looks { bench.web.answer("/l\(number)", .page("<p>l")) }
        for number in 0..<Self.fetches { bench.web.answer("/f\(number)", .page("<p>f")) }
        let first = try await bench.fixture.withWorkers(configuration: configuration) {
            try await enqueue([bench.fetch("/many")], bench, configuration)
            try await eventually(bench) {
                """
                SELECT count(*) > \(Self.looks / 2) FROM tenure.job j
                WHERE j.lane IS NOT NULL AND j.priority = 7
                """
            }
            let before = bench.web.requests.count
            let fetches = (0..<Self.fetches).map { bench.fetch("/f\($0)") }
            try await enqueue(fetches, bench, configuration)
            try await eventually(bench) {
                "SELECT count(*) = 1 + \(Self.fetches) FROM content.fetch_run"
            }
            return bench.web.requests.dropFirst(before).map(\.path)
        }
        let begun = try #require(first.firstIndex { $0.hasPrefix("/f") })
        let last = try #require(first.lastIndex { $0.hasPrefix("/f") })
        // The lane is looked at from its head now and then, seldom where looking is slow.
        #expect(begun < Self.looks / 2)
        // From then on they are alone, but for what ran already.
        #expect(first[begun...last].count { $0.hasPrefix("/l") } < Self.fetches / 2, "\(first)")
    }

    @Test func `checks that somebody started go before those that were due`() async throws {
        let bench = try await SiteBench("asked")
        try await bench.watch(channels: [])
        let asked = try await bench.sites.check(bench.name)
        let priority = "SELECT priority FROM tenure.job WHERE batch_id = "
        #expect(try await bench.value("\(priority)'\(asked)'", as: Int16.self) == 3)
        try await bench.withWorkers {
            _ = try await bench.fixture.check.wait(asked, every: .milliseconds(20))
        }
        try await bench.pool.simple(
            "SELECT tenure.fire_schedules(9); UPDATE tenure.job SET run_at = now()")
        try await bench.withWorkers {
            try await bench.eventually(
                "SELECT count(*) = 2 FROM content.site_check k WHERE k.finished_at IS NOT NULL")
        }
        let run = "SELECT array_agg(DISTINCT h.priority ORDER BY h.priority)::text"
        let due = try await bench.value(
            """
            \(run) FROM tenure.job_history h WHERE h.kind = 'dependency-check'
              AND h.batch_id <> '\(asked)'
            """, as: String.self)
        #expect(due == "{5}")
    }

    /// In one transaction: how long it takes to enqueue them is no part of the question.
    private func enqueue(
        _ fetches: [ContentFetch], _ bench: FetchBench, _ configuration: ContentConfiguration
    ) async throws {
        let jobs = try fetches.map {
            try NewJob($0, .keeping($0.key), options: $0.options(configuration))
        }
        _ = try await bench.fixture.client.enqueue(jobs)
    }

    private func eventually(_ bench: FetchBench, _ sql: () -> String) async throws {
        for _ in 0..<(3000 * patience) {
            let rows = try await bench.pool.query(sql()) { try $0.decode(0, as: Bool.self) }
            if rows[0] { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("never: \(sql())")
    }
}
