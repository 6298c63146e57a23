import Tenure
import TenureFoundation
import Testing

@testable import Content

/// What is broken, over all that is remembered.
@Suite struct BrokenLinkTests {
    private let site = "https://site.test/"

    private func checked(
        _ pages: [String: FakeWeb.Page]
    ) async throws -> (ContentFixture, CheckReport) {
        let fixture = try await ContentFixture("broken")
        var options = SiteCheckOptions()
        options.contact = "tests"
        options.strict = true
        options.pauseSeconds = 0.01
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        let report = try await fixture.withWorkers(
            configuration: configuration, transport: FakeWeb(pages)
        ) { [options, site] in
            let run = try await fixture.check.start(url: site, options)
            _ = try await fixture.check.wait(run, every: .milliseconds(20))
            return try await fixture.check.report(run)
        }
        return (fixture, report)
    }

    private func moved(to location: String) -> FakeWeb.Page {
        .init(status: 301, headers: ["Location": location])
    }

    @Test func `it is what a check found, by target, with every place`() async throws {
        let (fixture, report) = try await checked([
            site: .init(body: "<a href=/dead>1</a>\n<a href=/b#none>2</a> <a href=/there>3</a>"),
            "\(site)b": .init(body: "<img src=/dead> <a href=/around>4</a><a href=/b>5</a>"),
            "\(site)there": moved(to: "/dead"), "\(site)around": moved(to: "/again"),
            "\(site)again": moved(to: "/around"),
        ])
        let links = try await BrokenLinks(pool: fixture.pool).list()
        #expect(
            links.lines == [
                "redirectLoop \(site)around at \(site)b:1:25",
                "missingFragment \(site)b#none at \(site):2:9",
                "404 \(site)dead at \(site):1:9 \(site)b:1:10",
                "404 \(site)there at \(site):2:31",
            ])
        #expect(links.lines.sorted() == report.lines)
        #expect(links.map(\.isHard) == [false, false, true, false])
        #expect(links.allSatisfy { $0.brokenSince != nil })
        // A page that is gone itself has no links.
        try await fixture.pool.simple(
            "UPDATE content.item SET outcome = 'gone' WHERE url LIKE '%b'")
        let left = try await BrokenLinks(pool: fixture.pool).list()
        #expect(left.map(\.target) == ["\(site)dead", "\(site)there"])
    }

    @Test func `new is what broke lately`() async throws {
        let (fixture, _) = try await checked([site: .init(body: "<a href=/x>1</a><a href=/y>2</a>")]
        )
        try await fixture.pool.simple(
            """
            UPDATE content.target SET first_broken_at = now() - interval '8 days'
            WHERE href LIKE '%/x'
            """)
        let links = BrokenLinks(pool: fixture.pool)
        #expect(try await links.list().count == 2)
        #expect(try await links.list(newerThan: .seconds(7 * 86_400)).map(\.target) == ["\(site)y"])
    }

    @Test func `a fragment is broken since it was missed, whatever has changed on its page since`()
        async throws
    {
        let (fixture, _) = try await checked([site: .init(body: "<a href=/#none>1</a>")])
        let links = BrokenLinks(pool: fixture.pool)
        #expect(try await links.list(newerThan: .seconds(3600)).count == 1)
        try await fixture.pool.simple(
            """
            UPDATE content.target_fragment SET first_broken_at = now() - interval '8 days',
                                               last_ok_at = now() - interval '9 days'
            """)
        #expect(try await links.list(newerThan: .seconds(7 * 86_400)).isEmpty)
        let old = try await links.list(newerThan: .seconds(9 * 86_400))
        #expect(old.map(\.code) == ["missingFragment"])
        let age = try #require(old[0].brokenSince).timeIntervalSinceNow
        #expect(age < -7.9 * 86_400 && age > -8.1 * 86_400)
        #expect(old[0].lastOkAt != nil)
    }

    @Test func `canonical pages in a circle are a finding`() async throws {
        func page(_ canonical: String) -> FakeWeb.Page {
            .init(body: "<link rel=canonical href=\(canonical)><a href=/a>a</a><a href=/c>c</a>")
        }
        let (fixture, report) = try await checked([
            site: page("/"), "\(site)a": page("/b"), "\(site)b": page("/a"), "\(site)c": page("/a"),
        ])
        let loops = [
            "canonicalLoop \(site)a at \(site)b:1:26", "canonicalLoop \(site)b at \(site)a:1:26",
        ]
        #expect(report.lines == loops)
        #expect(try await BrokenLinks(pool: fixture.pool).list().lines == loops)
    }
}
