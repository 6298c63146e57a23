import Content
import HTTPTransport
import Tenure
import TenureFoundation
import Testing

/// What a check does where somebody wants to be left alone.
@Suite struct PoliteCheckTests {
    private struct Bench {
        let fixture: ContentFixture
        let web: FakeWeb
        var interval: Duration = .zero

        init(_ web: FakeWeb, own: Bool = true) async throws {
            self.web = web
            fixture = try await ContentFixture("polite")
            if own { try await fixture.own("site.test") }
        }

        func check(
            _ meanwhile: @escaping @Sendable (UUID) async throws -> Void = { _ in }
        ) async throws -> CheckReport {
            var options = SiteCheckOptions()
            options.contact = "tests"
            var configuration = ContentConfiguration()
            configuration.hostInterval = interval
            return try await fixture.withWorkers(
                2, configuration: configuration, transport: web
            ) { [options] in
                let check = try await fixture.check.start(url: "https://site.test/", options)
                try await meanwhile(check)
                _ = try await fixture.check.wait(check, every: .milliseconds(20))
                return try await fixture.check.report(check)
            }
        }

        func until(_ sql: String) async throws {
            for _ in 0..<1500 {
                let found = try await fixture.pool.query(sql) { try $0.decode(0, as: Bool.self) }
                if found.first == true { return }
                try await Task.sleep(for: .milliseconds(20))
            }
            Issue.record("never: \(sql)")
        }
    }

    private static func site(of count: Int) -> [String: FakeWeb.Page] {
        let links = (0..<count).map { "<a href=/p\($0)>p</a>" }.joined()
        var pages = ["https://site.test/": FakeWeb.Page(body: links)]
        for number in 0..<count { pages["https://site.test/p\(number)"] = .init(body: "<p>page") }
        return pages
    }

    @Test func `a site that lets few through at a time is read to its end`() async throws {
        let bench = try await Bench(FakeWeb(Self.site(of: 80), perSecond: 20))
        let report = try await bench.check()
        #expect(report.pages == 81)
        #expect(report.targets == ["ok": 81])
        #expect(report.isComplete)
        // Each worker's jobs that are under way at that moment, of three or four seconds.
        #expect(bench.web.refusals < 60, "\(bench.web.refusals)")
    }

    @Test(arguments: [true, false])
    func `a site that wants an hour is not waited for, and the check says so`(isOwn: Bool)
        async throws
    {
        var pages = Self.site(of: 40)
        for number in 0..<39 {
            pages["https://site.test/p\(number)"] = .init(
                status: 503, headers: ["Retry-After": "3600"])
        }
        let bench = try await Bench(FakeWeb(pages), own: isOwn)
        let report = try await bench.check()
        #expect(report.findings.isEmpty)
        #expect(!report.isComplete)
        if isOwn {
            // Nobody minds being asked for the others.
            #expect(report.targets == ["ok": 2, "blocked": 39])
        } else {
            // One for each job that was under way, beside the start and robots.txt.
            #expect(bench.web.requests.count <= 2 + 12, "\(bench.web.requests.count)")
        }
    }

    @Test func `a site that lets nothing through any more is given up after some minutes`()
        async throws
    {
        var pages = Self.site(of: 1)
        pages["https://site.test/p0"] = .init(status: 429, headers: ["Retry-After": "45"])
        let bench = try await Bench(FakeWeb(pages))
        let clock = TestClock(pool: bench.fixture.pool)
        let report = try await bench.check { _ in
            // Seven at most: what the rounds themselves take is time that goes by, too.
            for _ in 1...7 {
                try await bench.until(
                    """
                    SELECT count(*) = 0 FROM tenure.job
                    WHERE state <> 'scheduled' OR run_at <= clock_timestamp() + interval '10 s'
                    """)
                try await bench.fixture.pool.query("UPDATE content.host SET hold_until = NULL")
                try await clock.advance(by: .seconds(45))
            }
        }
        #expect(report.targets == ["ok": 1, "blocked": 1])
        #expect(!report.isComplete)
        let asked = try #require(bench.web.requests["GET https://site.test/p0"])
        #expect((3...8).contains(asked), "\(asked)")
    }

    @Test func `somebody else's site is asked as its robots.txt and its lane say`() async throws {
        var pages = Self.site(of: 6)
        pages["https://site.test/robots.txt"] = .init(
            type: "text/plain", body: "User-agent: *\nDisallow: /p3")
        var bench = try await Bench(FakeWeb(pages), own: false)
        bench.interval = .milliseconds(300)
        let report = try await bench.check()
        #expect(report.pages == 6)
        #expect(report.targets == ["ok": 6, "skipped": 1])
        #expect(report.isComplete)
        #expect(bench.web.requests["GET https://site.test/robots.txt"] == 1)
        #expect(bench.web.requests["GET https://site.test/p3"] == nil)
        // At the claim it is exact; from there to the request it takes what the machine takes.
        let least = try await bench.fixture.pool.query(
            """
            SELECT extract(epoch FROM min(pause))::float8
            FROM (
                SELECT claimed_at - lag(claimed_at) OVER (PARTITION BY lane ORDER BY claimed_at)
                FROM tenure.job_history WHERE lane IS NOT NULL
            ) AS pauses (pause)
            """
        ) { try $0.decode(0, as: Double?.self) }
        let pause = try #require(least.first ?? nil)
        #expect(pause >= 0.3)
    }

    @Test func `where the start may not be read, nothing was checked`() async throws {
        var pages = Self.site(of: 1)
        pages["https://site.test/robots.txt"] = .init(
            type: "text/plain", body: "User-agent: *\nDisallow: /")
        let report = try await Bench(FakeWeb(pages), own: false).check()
        #expect(report.targets == ["skipped": 1])
        #expect(!report.isComplete)
    }

    @Test func `a host that wants longer than a check waits isn't asked by its next target`()
        async throws
    {
        let links = (0..<6).map { "<a href=https://a.test/\($0)>a</a>" }.joined()
        var pages = ["https://site.test/": FakeWeb.Page(body: links)]
        for number in 0..<6 {
            pages["https://a.test/\(number)"] = .init(
                status: 429, headers: ["Retry-After": "3600"])
        }
        var bench = try await Bench(FakeWeb(pages))
        bench.interval = .milliseconds(200)
        let report = try await bench.check()
        #expect(report.targets == ["ok": 1, "blocked": 6])
        #expect(report.isComplete)
        #expect(bench.web.requests.keys.count { $0.hasPrefix("HEAD https://a.test/") } == 1)
        try await bench.until(
            """
            SELECT count(*) = 1 FROM content.host
            WHERE hold_until > clock_timestamp() + interval '50 min'
            """)
    }

    @Test func `a page that is asked for instead of its head has a turn of its own`() async throws {
        var bench = try await Bench(
            FakeWeb([
                "https://site.test/": .init(body: "<a href=https://a.test/1>1</a>"),
                "https://a.test/1": .init(status: 405),
            ]))
        bench.interval = .milliseconds(400)
        let report = try await bench.check()
        #expect(report.findings.map(\.code) == ["405"])
        #expect(bench.web.requests["HEAD https://a.test/1"] == 1)
        #expect(bench.web.requests["GET https://a.test/1"] == 1)
        // The site's page, robots.txt, the head and the page.
        let times = bench.web.times.dropFirst()
        let pauses = zip(times, times.dropFirst()).map { $0.duration(to: $1) }
        #expect(pauses.count == 2 && pauses.allSatisfy { $0 > .milliseconds(200) }, "\(pauses)")
    }
}
