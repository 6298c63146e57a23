import Content
import Tenure
import TestSupport
import Testing

/// A robots.txt that is too long, in pieces, or nowhere: over a real server.
@Suite struct RobotsFetchTests {
    private func bench(_ robots: LocalWeb.Answer) async throws -> FetchBench {
        let bench = try await FetchBench("robots")
        bench.web.answer("/robots.txt", robots)
        bench.web.answer("/open", .page("<title>open</title><p>text"))
        return bench
    }

    private static let rules = "User-agent: *\nDisallow: /shut\n"

    @Test func `of one that is too long, the start counts`() async throws {
        let filler = String(repeating: "# nothing to see here\n", count: 150_000)
        let bench = try await bench(
            LocalWeb.Answer(
                headers: ["Content-Type: text/plain"], body: Array((Self.rules + filler).utf8)))
        #expect(try await bench.run(bench.fetch("/open")).outcome == .stored)
        let shut = try await bench.run(bench.fetch("/shut"))
        #expect(shut.outcome == .skipped && shut.code == "robots")
        #expect(bench.web.requests("/robots.txt").count == 1)
        let kept = try await bench.value(
            "SELECT length(robots)::int8 FROM content.host", as: Int64.self)
        #expect(kept == 500 << 10 | 1)
    }

    @Test func `one that can't be decoded forbids nothing`() async throws {
        let bench = try await bench(
            LocalWeb.Answer(
                headers: ["Content-Type: text/plain", "Content-Encoding: gzip"],
                body: Array(Self.rules.utf8)))
        #expect(try await bench.run(bench.fetch("/open")).outcome == .stored)
    }

    @Test func `one that is redirected to nowhere forbids nothing`() async throws {
        let bench = try await bench(.status(302))
        #expect(try await bench.run(bench.fetch("/open")).outcome == .stored)
    }

    @Test func `one that is never answered makes the host wait, and costs no attempt`()
        async throws
    {
        let bench = try await bench(LocalWeb.Answer(isSilent: true))
        let job = try await bench.enqueue(bench.fetch("/open"))
        let end = try await bench.working { try await bench.ended(job) }
        #expect(end == FetchBench.Ended(state: "scheduled", attempt: 0))
        #expect(bench.web.requests("/open").isEmpty)
    }
}
