import Content
import HTTPTransport
import Tenure
import Testing

@Suite struct CheckTests {
    private func check(
        _ pages: [String: FakeWeb.Page], workers: Int = 1, isOwn: Bool = true,
        _ change: @Sendable (inout SiteCheckOptions) -> Void = { _ in }
    ) async throws -> (CheckReport, FakeWeb) {
        let web = FakeWeb(pages)
        let fixture = try await ContentFixture("check")
        if isOwn { try await fixture.own("site.test") }
        var options = SiteCheckOptions()
        options.contact = "tests"
        options.pauseSeconds = 0.01
        change(&options)
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        let report = try await fixture.withWorkers(
            workers, configuration: configuration, transport: web
        ) { [options] in
            let check = try await fixture.check.start(url: "https://site.test/", options)
            _ = try await fixture.check.wait(check, every: .milliseconds(20))
            return try await fixture.check.report(check)
        }
        return (report, web)
    }

    @Test func `every URL is asked for once, whoever refers to it`() async throws {
        let links = (0..<20).map { "<a href=/p\($0)>p</a>" }.joined()
        var pages = ["https://site.test/": FakeWeb.Page(body: links)]
        for number in 0..<20 { pages["https://site.test/p\(number)"] = .init(body: links) }
        let (report, web) = try await check(pages, workers: 3)
        #expect(report.findings.isEmpty)
        #expect(report.pages == 21)
        #expect(report.references == 21 * 20)
        #expect(web.requests.count == 21)
        #expect(web.requests.values.allSatisfy { $0 == 1 })
    }

    @Test func `a failure that passes is no finding, one that stays is`() async throws {
        let (report, web) = try await check([
            "https://site.test/": .init(body: "<a href=shaky>1</a> <a href=dead>2</a>"),
            "https://site.test/shaky": .init(failures: [.connectRefused, .truncated]),
            "https://site.test/dead": .init(
                failures: Array(repeating: .connectRefused, count: 9)),
        ])
        #expect(
            report.lines == ["connectRefused https://site.test/dead at https://site.test/:1:29"])
        #expect(web.requests["GET https://site.test/dead"] == 3)
    }

    @Test func `HEAD is enough for a foreign target, and GET is tried where it is refused`()
        async throws
    {
        let (report, web) = try await check([
            "https://site.test/": .init(
                body: "<a href=https://a.test/1>1</a> <a href=https://a.test/2>2</a>"),
            "https://a.test/1": .init(),
            "https://a.test/2": .init(status: 405),
        ])
        #expect(report.findings.map(\.code) == ["405"])
        #expect(web.requests["GET https://a.test/1"] == nil)
        #expect(web.requests["GET https://a.test/2"] == 1)
    }

    @Test func `a server that lets go of a HEAD is asked for the page`() async throws {
        let (report, web) = try await check([
            "https://site.test/": .init(body: "<a href=https://a.test/1>1</a>"),
            "https://a.test/1": .init(headFailure: .connectionClosed),
        ])
        #expect(report.findings.isEmpty)
        #expect(web.requests["HEAD https://a.test/1"] == 1)
        #expect(web.requests["GET https://a.test/1"] == 1)
    }

    @Test func `a page without a type is read if it looks like one`() async throws {
        let (report, _) = try await check([
            "https://site.test/": .init(type: "", body: "<!doctype html><a href=dead>1</a>")
        ])
        #expect(report.lines == ["404 https://site.test/dead at https://site.test/:1:24"])
    }

    @Test func `robots of foreign hosts are asked once and heeded`() async throws {
        let (report, web) = try await check([
            "https://site.test/": .init(
                body: "<a href=https://a.test/open>1</a> <a href=https://a.test/shut>2</a>"),
            "https://a.test/robots.txt": .init(
                type: "text/plain", body: "User-agent: *\nDisallow: /shut"),
            "https://a.test/open": .init(),
        ])
        #expect(report.findings.isEmpty)
        #expect(report.targets["skipped"] == 1)
        #expect(web.requests["HEAD https://a.test/shut"] == nil)
        #expect(web.requests["GET https://site.test/robots.txt"] == nil)
    }

    @Test func `who won't talk to us is blocked, never broken`() async throws {
        let (report, _) = try await check([
            "https://site.test/": .init(body: "<a href=https://a.test/1>1</a>"),
            "https://a.test/1": .init(status: 403),
        ])
        #expect(report.findings.isEmpty)
        #expect(report.targets["blocked"] == 1)
    }

    @Test func `without a contact no foreign host is crawled`() async throws {
        let fixture = try await ContentFixture("contact")
        await #expect(throws: ContentError.self) {
            try await fixture.check.start(url: "https://site.test/")
        }
    }

    @Test func `a cancelled check stops with its whole batch`() async throws {
        let links = (0..<200).map { "<a href=https://h\($0).test/>x</a>" }.joined()
        var pages = ["https://site.test/": FakeWeb.Page(body: links)]
        for number in 0..<200 { pages["https://h\(number).test/"] = .init() }
        let web = FakeWeb(pages)
        let fixture = try await ContentFixture("cancel")
        var options = SiteCheckOptions()
        options.contact = "tests"
        try await fixture.withWorkers(slots: 1, transport: web) { [options] in
            let check = try await fixture.check.start(url: "https://site.test/", options)
            while try await fixture.check.progress(check).visited < 3 {
                try await Task.sleep(for: .milliseconds(10))
            }
            try await fixture.check.cancel(check, by: "a test")
            _ = try await fixture.check.wait(check)
            let report = try await fixture.check.report(check)
            #expect(report.wasCancelled)
            #expect(!report.isComplete)
        }
        // Each host's robots.txt takes a turn of its own, before anyone's second turn.
        #expect(web.requests.keys.count { !$0.hasSuffix("/robots.txt") } < 150)
    }
}
