import Content
import HTTPTransport
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// A real site, checked; then faults are put in, and the next check finds them and nothing else,
/// with the right times; then they are taken out.
@Suite(.serialized) struct MutationTests {
    @Test(arguments: [1, 2])
    func `the next check finds exactly what has changed, and the one after it that it is mended`(
        seed: UInt64
    ) async throws {
        let bench = try await MutationBench(seed: seed)
        try await bench.working {
            let first = try await bench.check()
            #expect(Set(first.report.findings.map(\.code)) == ["404"])
            #expect(first.report.findings.count == 7)
            try await bench.clock.advance(by: .seconds(86_400))

            let faults = try await bench.plan(after: first)
            faults.apply(to: bench.site)
            let second = try await bench.check()
            bench.expectLines(second, faults.expected(after: first.report))
            bench.expectTimes(second, after: first)
            try await bench.expectStates(faults, first, second)

            // Nothing has changed since: the same is found, and is as old as it was.
            let again = try await bench.check()
            #expect(again.report.lines == second.report.lines)
            #expect(
                again.report.findings.filter { !$0.target.hasPrefix(bench.site.foreign.url) }
                    == second.report.findings.filter {
                        !$0.target.hasPrefix(bench.site.foreign.url)
                    })
            #expect(try await bench.memory(faults.moved).state == "moved")
            #expect(try await bench.memory(faults.elsewhere).state == "redirected")

            try await bench.expectConfirmation(since: second)
            bench.site.restore()
            for path in MutationBench.foreign { bench.site.foreign.answer(path, .page("well")) }
            let third = try await bench.check()
            #expect(third.report.findings == first.report.findings)
            try await bench.expectRecovery(faults, second, third)
        }
    }

    @Test func `a page that says it isn't there is missing, until it is there again`() async throws
    {
        let web = FakeWeb([
            "https://site.test/": .init(body: "<a href=a>a</a> <a href=b>b</a>"),
            "https://site.test/a": .init(
                headers: ["ETag": "\"1\""],
                body: "<title>Page not found</title><p>Sorry. <a href=dead>d</a>"),
            "https://site.test/b": .init(
                body: "<title>404 ways to be found</title>"
                    + String(
                        repeating: "<p>There is so much to be said about all of it.", count: 40)),
        ])
        let fixture = try await ContentFixture("soft")
        var options = SiteCheckOptions()
        options.contact = "tests"
        try await fixture.withWorkers(transport: web) { [options] in
            func check() async throws -> [String] {
                let run = try await fixture.check.start(url: "https://site.test/", options)
                _ = try await fixture.check.wait(run, every: .milliseconds(20))
                return try await fixture.check.report(run).lines
            }
            // Its own links are checked all the same; and no validator makes it well.
            let found = [
                "404 https://site.test/dead at https://site.test/a:1:48",
                "soft404 https://site.test/a at https://site.test/:1:9",
            ]
            for _ in 0..<2 {
                let lines = try await check()
                #expect(lines == found)
            }
            web.put("https://site.test/a", .init(headers: ["ETag": "\"2\""], body: "<p>Here."))
            let mended = try await check()
            #expect(mended == [])
        }
    }
}
