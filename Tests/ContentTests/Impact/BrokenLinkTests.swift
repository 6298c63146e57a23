import FoundationEssentials
import Tenure
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

    private func lines(_ links: [BrokenLink]) -> [String] {
        links.map { link in
            let fragment = link.fragment.map { "#\($0)" } ?? ""
            let places = link.places.map { "\($0.page):\($0.line):\($0.column)" }
            return "\(link.code) \(link.target)\(fragment) at \(places.joined(separator: " "))"
        }
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
            lines(links) == [
                "redirectLoop \(site)around at \(site)b:1:25",
                "missingFragment \(site)b#none at \(site):2:9",
                "404 \(site)dead at \(site):1:9 \(site)b:1:10",
                "404 \(site)there at \(site):2:31",
            ])
        #expect(lines(links).sorted() == report.lines)
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
        #expect(lines(try await BrokenLinks(pool: fixture.pool).list()) == loops)
    }
}
