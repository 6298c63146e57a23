import Content
import HTTPTransport
import Tenure
import TenureFoundation
import TenureWorker
import Testing

/// Politeness: each host is a lane, and what a host asks for is kept by all of its jobs.
@Suite struct HostTests {
    private func fetch(
        _ urls: [String], _ pages: [String: FakeWeb.Page], interval: Duration = .zero,
        until done: String = "SELECT count(*) = 0 FROM tenure.job",
        before: @Sendable (ContentFixture) async throws -> Void = { _ in }
    ) async throws -> (ContentFixture, FakeWeb) {
        let web = FakeWeb(pages)
        let fixture = try await ContentFixture("hosts")
        try await before(fixture)
        var configuration = ContentConfiguration()
        configuration.hostInterval = interval
        for url in urls {
            let fetch = ContentFetch(url: url)
            try await fixture.client.enqueue(
                fetch, .keeping(fetch.key), options: fetch.options(configuration))
        }
        try await fixture.withWorkers(2, configuration: configuration, transport: web) {
            for _ in 0..<1500 {
                let isDone = try await fixture.pool.query(done) { try $0.decode(0, as: Bool.self) }
                if isDone.first == true { return }
                try await Task.sleep(for: .milliseconds(20))
            }
            Issue.record("never: \(done)")
        }
        return (fixture, web)
    }

    private func text(_ fixture: ContentFixture, _ sql: String) async throws -> [String] {
        try await fixture.pool.query(sql) { try $0.decode(0, as: String.self) }
    }

    @Test func `a redirect to another host goes on in that host's lane`() async throws {
        let (fixture, web) = try await fetch(
            ["https://a.test/1"],
            [
                "https://a.test/1": .init(status: 301, headers: ["Location": "https://b.test/2"]),
                "https://b.test/2": .init(status: 302, headers: ["Location": "https://c.test/3"]),
                "https://c.test/3": .init(body: "<title>there</title>"),
            ])
        #expect(
            try await text(fixture, "SELECT lane FROM tenure.job_history") == ["host:c.test"])
        #expect(
            try await text(fixture, "SELECT attempt || ' ' || runs FROM tenure.job_history")
                == ["1 3"])
        #expect(
            try await text(
                fixture, "SELECT count(*)::text FROM tenure.lane WHERE name LIKE 'host:_.test'")
                == ["3"])
        let item = try #require(try await Items(pool: fixture.pool).item(url: "https://a.test/1"))
        #expect(item.title == "there")
        #expect(
            try await text(
                fixture,
                "SELECT state || ' ' || next_href FROM content.target WHERE checked_at "
                    + "IS NOT NULL") == ["redirected https://b.test/2"])
        for url in ["a.test/1", "b.test/2", "c.test/3"] {
            #expect(web.requests["GET https://\(url)"] == 1)
        }
    }

    @Test func `loops and long chains over hosts end as they do on one`() async throws {
        var pages = [
            "https://a.test/": FakeWeb.Page(
                status: 302, headers: ["Location": "https://b.test/"]),
            "https://b.test/": .init(status: 302, headers: ["Location": "https://a.test/"]),
        ]
        for number in 0..<15 {
            pages["https://h\(number).test/"] = .init(
                status: 302, headers: ["Location": "https://h\(number + 1).test/"])
        }
        let (fixture, web) = try await fetch(
            ["https://a.test/", "https://h0.test/"], pages,
            until: "SELECT count(*) = 2 FROM content.item")
        #expect(
            try await text(fixture, "SELECT code FROM content.item ORDER BY code")
                == ["redirectLoop", "tooManyRedirects"])
        #expect(web.requests["GET https://h10.test/"] == 1)
        #expect(web.requests["GET https://h11.test/"] == nil)
    }

    @Test func `a host that asks for a pause gets it from all of its jobs, and no attempt is lost`()
        async throws
    {
        let (fixture, web) = try await fetch(
            ["https://busy.test/1"],
            ["https://busy.test/1": .init(status: 429, headers: ["Retry-After": "3600"])],
            until: "SELECT count(*) = 1 FROM tenure.lane_hold")
        let lane = try await Lanes(client: fixture.client).status(of: "host:busy.test")
        let left = try #require(lane?.heldUntil).timeIntervalSinceNow
        #expect(left > 3500 && left <= 3600)
        #expect(try await text(fixture, "SELECT attempt::text FROM tenure.job") == ["0"])
        let hosts = Hosts(client: fixture.client, pool: fixture.pool)
        let explained = try await Explainer(client: fixture.client, pool: fixture.pool)
            .explain("https://busy.test/1")
        #expect(explained.jobs.first?.delays.map(\.rule).contains(.laneOnHold) == true)
        #expect(explained.hostHoldUntil != nil)
        #expect(web.requests["GET https://busy.test/1"] == 1)
        #expect(try await hosts.release("busy.test"))
        #expect(try await hosts.release("busy.test") == false)
        #expect(try await hosts.status(of: "busy.test")?.lane?.heldUntil == nil)
    }

    @Test(arguments: ["0", "Fri, 20 Nov 2020 12:00:00 GMT"])
    func `a pause that is over when it is asked for is one without a length`(
        retryAfter: String
    ) async throws {
        let (fixture, web) = try await fetch(
            ["https://busy.test/1"],
            ["https://busy.test/1": .init(status: 429, headers: ["Retry-After": retryAfter])],
            until: "SELECT count(*) = 1 FROM tenure.job WHERE runs > 0 AND state = 'scheduled'",
            before: { try await $0.own("busy.test") })
        #expect(web.requests["GET https://busy.test/1"] == 1)
        let left = try await fixture.pool.query(
            "SELECT extract(epoch FROM run_at - clock_timestamp())::float8 FROM tenure.job"
        ) { try $0.decode(0, as: Double.self) }
        #expect(left.allSatisfy { $0 > 50 && $0 <= 60 }, "\(left)")
    }

    @Test func `robots.txt takes a turn of its own, and its crawl delay is kept`() async throws {
        let (fixture, web) = try await fetch(
            ["https://slow.test/1"],
            [
                "https://slow.test/robots.txt": .init(
                    type: "text/plain", body: "User-agent: *\nCrawl-delay: 7\n"),
                "https://slow.test/1": .init(),
            ], interval: .milliseconds(100),
            until: """
                SELECT bool_or(l.min_interval > '1 s') FROM tenure.lane l
                """)
        let lane = try await Lanes(client: fixture.client).status(of: "host:slow.test")
        #expect(lane?.minInterval == .seconds(7))
        #expect(web.requests["GET https://slow.test/robots.txt"] == 1)
    }

    @Test func `an own host is asked as its limits say, without its robots.txt`() async throws {
        let (fixture, web) = try await fetch(
            ["https://own.test/1"],
            [
                "https://own.test/robots.txt": .init(body: "User-agent: *\nDisallow: /"),
                "https://own.test/1": .init(),
            ],
            before: { fixture in
                try await Hosts(client: fixture.client, pool: fixture.pool).set(
                    "own.test", maxRunning: nil, minInterval: nil, isOwn: true, by: "ada")
            })
        #expect(web.requests["GET https://own.test/robots.txt"] == nil)
        #expect(web.requests["GET https://own.test/1"] == 1)
        let host = try await Hosts(client: fixture.client, pool: fixture.pool).status(
            of: "OWN.test")
        #expect(host?.isOwn == true)
        #expect(host?.lane?.maxRunning == 10 && host?.lane?.minInterval == .zero)
    }

    @Test func `a fetch that was enqueued without a lane finds its host's`() async throws {
        let fixture = try await ContentFixture("bare")
        let web = FakeWeb(["https://a.test/": .init()])
        try await fixture.client.enqueue(ContentFetch(url: "https://a.test/"))
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        try await fixture.withWorkers(configuration: configuration, transport: web) {
            for _ in 0..<500 {
                let isDone = try await fixture.pool.query(
                    "SELECT count(*) = 1 FROM tenure.job_history"
                ) { try $0.decode(0, as: Bool.self) }
                if isDone.first == true { return }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(try await text(fixture, "SELECT lane FROM tenure.job_history") == ["host:a.test"])
    }
}
