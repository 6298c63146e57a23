import Content
import Tenure
import TenureFoundation
import Testing

/// What a check knows from the one before, and how it ends.
@Suite struct AgainTests {
    private let site = "https://site.test/"

    private func page(_ body: String, tag: String) -> FakeWeb.Page {
        FakeWeb.Page(headers: ["ETag": "\"\(tag)\""], body: body)
    }

    /// Checks the site several times; `between` is called after each but the last.
    private func checks(
        _ count: Int, of web: FakeWeb, fresh: Double = 3600,
        between: @escaping @Sendable () -> Void = {}
    ) async throws -> [CheckReport] {
        let fixture = try await ContentFixture("again")
        var options = SiteCheckOptions()
        options.contact = "tests"
        options.freshSeconds = fresh
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        return try await fixture.withWorkers(configuration: configuration, transport: web) {
            [options, site] in
            var reports: [CheckReport] = []
            for number in 1...count {
                let run = try await fixture.check.start(url: site, options)
                _ = try await fixture.check.wait(run)
                reports.append(try await fixture.check.report(run))
                if number < count { between() }
            }
            return reports
        }
    }

    @Test func `a second check asks for what has changed, and finds the same`() async throws {
        let links = (1...40).map { "<a href=/p\($0)#x>p</a>" }.joined()
        let web = FakeWeb([site: page(links, tag: "0")])
        for number in 1...40 {
            let anchor = number == 7 ? "" : "<i id=x></i>"
            web.put("\(site)p\(number)", page(anchor + "<a href=/dead>d</a>", tag: "\(number)"))
        }
        let reports = try await checks(2, of: web)
        #expect(reports[0].findings.map(\.code) == ["404", "missingFragment"])
        #expect(reports[0].findings == reports[1].findings)
        #expect(reports[0].pages == 41 && reports[1].pages == 41)
        #expect(reports[0].references == reports[1].references)
        #expect(web.notModified == 41)
        #expect(web.requests["GET \(site)p7"] == 2)
    }

    @Test func `a page that comes whole again, unchanged, keeps the edges that it has`()
        async throws
    {
        let fixture = try await ContentFixture("kept")
        // No validator: each check is sent the whole page.
        let web = FakeWeb([
            site: FakeWeb.Page(body: "<a href=/a>a</a>"), "\(site)a": FakeWeb.Page(body: "a"),
        ])
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        let places = try await fixture.withWorkers(configuration: configuration, transport: web) {
            [site] in
            var places: [[String]] = []
            for _ in 1...2 {
                var options = SiteCheckOptions()
                options.contact = "tests"
                _ = try await fixture.check.wait(
                    try await fixture.check.start(url: site, options))
                places.append(
                    try await fixture.pool.query(
                        "SELECT xmin::text || ' ' || ctid::text FROM content.reference"
                    ) { try $0.decode(0) })
            }
            return places
        }
        #expect(places[0].count == 1 && places[0] == places[1])
    }

    @Test func `a page that has changed since is read anew`() async throws {
        let web = FakeWeb([
            site: page("<a href=/a>a</a> <a href=/b>b</a>", tag: "1"),
            "\(site)a": page("<a href=/b>b</a>", tag: "a"), "\(site)b": page("", tag: "b"),
        ])
        let reports = try await checks(3, of: web) {
            web.put("\(site)a", page("<a href=/b>b</a><a href=/c>c</a>", tag: "a2"))
            web.put("\(site)b", nil)
        }
        #expect(reports[0].findings.isEmpty)
        #expect(reports[1].lines == reports[2].lines)
        #expect(
            reports[1].lines == [
                "404 \(site)b at \(site):1:26 \(site)a:1:9",
                "404 \(site)c at \(site)a:1:25",
            ])
    }

    @Test func `a foreign target that was well a moment ago is not asked again`() async throws {
        let pages = [
            site: FakeWeb.Page(
                body: "<a href=https://a.test/1>1</a><a href=https://a.test/2>2</a>"),
            "https://a.test/1": FakeWeb.Page(),
        ]
        let web = FakeWeb(pages)
        let reports = try await checks(3, of: web)
        #expect(web.requests["HEAD https://a.test/1"] == 1)
        #expect(web.requests["HEAD https://a.test/2"] == 3)
        #expect(reports.allSatisfy { $0.findings.map(\.code) == ["404"] && $0.isComplete })
        let other = FakeWeb(pages)
        _ = try await checks(2, of: other, fresh: 0)
        #expect(other.requests["HEAD https://a.test/1"] == 2)
    }

    @Test func `the run's end writes it down, once`() async throws {
        let fixture = try await ContentFixture("end")
        let links = (1...30).map { "<a href=/p\($0)>p</a>" }.joined()
        let web = FakeWeb([site: FakeWeb.Page(body: links)])
        try await fixture.withWorkers(3, transport: web) { [site] in
            var options = SiteCheckOptions()
            options.contact = "tests"
            let run = try await fixture.check.start(url: site, options)
            _ = try await fixture.check.wait(run)
            let end = try await Inspector(pool: fixture.pool).progress(ofBatch: run)
            #expect(end?.endedAt != nil && end?.unfinished == 0)
        }
        let ends = try await fixture.pool.query(
            "SELECT count(*) FROM tenure.job_history h JOIN content.site_check r ON r.id = h.id "
                + "WHERE r.finished_at IS NOT NULL AND h.outcome = 'completed'"
        ) { try $0.decode(0, as: Int64.self) }
        #expect(ends == [1])
    }
}
