import Content
import HTTPTransport
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// What a worker may reach is its own to say: what producers write can only narrow it. Over real
/// connections.
@Suite struct CeilingTests {
    private func bench() async throws -> FetchBench {
        let bench = try await FetchBench("ceiling")
        bench.web.answer("/", .page("<a href='/next'>next</a>"))
        bench.web.answer("/next", .page("<p>here"))
        return bench
    }

    private func check(
        _ bench: FetchBench, allowed: [String], workers: [String]
    ) async throws -> CheckReport {
        var options = SiteCheckOptions()
        options.allowedAddresses = allowed
        options.contact = "tests"
        options.pauseSeconds = 0.01
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        try configuration.allow(workers)
        return try await bench.fixture.withWorkers(configuration: configuration) { [options] in
            let check = bench.fixture.check
            let run = try await check.start(url: bench.web.url + "/", options)
            _ = try await check.wait(run, every: .milliseconds(20))
            return try await check.report(run)
        }
    }

    @Test func `a check that asks for loopback gets nothing of a worker that doesn't allow it`()
        async throws
    {
        let bench = try await bench()
        let report = try await check(bench, allowed: ["127.0.0.0/8", "0.0.0.0/0"], workers: [])
        #expect(bench.web.requests.isEmpty)
        #expect(report.pages == 0)
    }

    @Test func `a check may narrow what its workers allow`() async throws {
        let bench = try await bench()
        let report = try await check(bench, allowed: ["127.0.0.1"], workers: ["127.0.0.0/8"])
        #expect(report.pages == 2)
        let narrow = try await self.bench()
        let other = try await check(
            narrow, allowed: ["127.0.0.1"], workers: ["127.0.0.2", "10.0.0.0/8"])
        #expect(narrow.web.requests.isEmpty && other.pages == 0)
    }
}
