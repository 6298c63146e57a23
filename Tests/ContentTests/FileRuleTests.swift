import Content
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// What holds for every fetch holds for files: limits, what is remembered, deletion.
@Suite struct FileRuleTests {
    private func fixture(
        _ change: (inout FileServer.Behaviour) -> Void = { _ in }
    ) async throws -> FileFixture {
        var behaviour = FileServer.Behaviour(file: TestFile(size: 1 << 20))
        change(&behaviour)
        return try await FileFixture(behaviour)
    }

    private struct Row: Equatable {
        var outcome: String
        var code: String?
        var isCharged: Bool
        var isTimed: Bool
    }

    private func rows(_ fixture: FileFixture) async throws -> [Row] {
        try await fixture.content.pool.query(
            """
            SELECT f.outcome, f.code, f.is_charged, f.total > '0' FROM content.fetch_run f
            WHERE f.mode = 'file' ORDER BY f.asked_at
            """
        ) { row in
            Row(
                outcome: try row.decode(0), code: try row.decode(1), isCharged: try row.decode(2),
                isTimed: try row.decode(3, as: Bool?.self) ?? false)
        }
    }

    @Test(arguments: [false, true]) func `a payload's limits hold for files`(
        isChunked: Bool
    ) async throws {
        let fixture = try await fixture { $0.isChunked = isChunked }
        var limits = FetchLimits()
        limits.wireBytes = 100_000
        let job = try await fixture.fetch(limits: limits)
        #expect(job.summary.status == .completed && job.runs == 1)
        #expect(try await fixture.items.file(.url(fixture.server.url)) == nil)
        #expect(
            try await rows(fixture)
                == [Row(outcome: "failed", code: "bodyTooLarge", isCharged: true, isTimed: true)])
        limits.wireBytes = 1 << 20
        try await fixture.fetch(limits: limits)
        try await fixture.expectKept(TestFile(size: 1 << 20))
    }

    @Test func `a file may take no longer than its payload says, and nonsense is told`()
        async throws
    {
        let fixture = try await fixture { $0.pause = .milliseconds(200) }
        var limits = FetchLimits()
        limits.totalSeconds = 0.5
        let job = try await fixture.fetch(attempts: 1, limits: limits)
        #expect(job.summary.status == .discarded)
        limits.totalSeconds = -1
        let bad = try await fixture.fetch(limits: limits)
        #expect(bad.reason == "limits.totalSeconds is -1.0; give more than 0")
    }

    @Test func `every attempt at a file is remembered, with its times`() async throws {
        let fixture = try await fixture { $0.dropsAfter = 600 << 10 }
        try await fixture.fetch()
        fixture.server.change { $0.dropsAfter = nil }
        try await fixture.fetch()
        fixture.server.change { $0.dropsAfter = 100 }
        try await fixture.fetch(force: true, attempts: 1)
        #expect(
            try await rows(fixture) == [
                Row(outcome: "failed", code: "truncated", isCharged: false, isTimed: true),
                Row(outcome: "stored", code: nil, isCharged: true, isTimed: true),
                Row(outcome: "unchanged", code: nil, isCharged: true, isTimed: true),
                Row(outcome: "failed", code: "truncated", isCharged: true, isTimed: true),
            ])
        let item = try #require(try await fixture.items.item(url: fixture.server.url))
        #expect(item.outcome == .failed && item.code == "truncated")
        #expect(try await fixture.items.file(.url(fixture.server.url)) != nil)
    }

    @Test func `a file that robots.txt forbids is skipped, one that is gone says so`() async throws
    {
        let bench = try await FetchBench("filerobots")
        bench.web.answer("/robots.txt", .page("User-agent: *\nDisallow: /shut"))
        bench.web.answer("/410", .status(410))
        let shut = try await bench.run(bench.fetch("/shut", mode: .file))
        #expect(shut.outcome == .skipped && shut.code == "robots")
        let gone = try await bench.run(bench.fetch("/410", mode: .file))
        #expect(gone.outcome == .gone && gone.code == "410")
    }

    @Test func `a file whose item is deleted meanwhile isn't stored again`() async throws {
        let fixture = try await fixture()
        try await fixture.fetch()
        fixture.server.change { $0.pause = .milliseconds(100) }
        var configuration = ContentConfiguration()
        try configuration.allow(["127.0.0.1"])
        configuration.hostInterval = .zero
        let result = try await fixture.content.withWorkers(configuration: configuration) {
            // As no enqueue of the product has it, without a key: the deletion doesn't find it.
            let fetch = ContentFetch(url: fixture.server.url, mode: .file, force: true)
            let payload = String(decoding: try JSONEncoder().encode(fetch), as: UTF8.self)
            let keyless = try NewJob(kind: ContentFetch.kind, payload: payload)
            let job = try await fixture.content.client.enqueue([keyless])[0].id
            try await fixture.eventually("it is asked for") { fixture.server.requests.count == 2 }
            let deletion = ItemDeletion(
                client: fixture.content.client, pool: fixture.content.pool, as: "ada")
            #expect(try await deletion.delete([.url(fixture.server.url)]).isDone)
            return try await fixture.finished(job)
        }
        #expect(result.result?.contains("itemDeleted") == true, "\(result)")
        #expect(try await fixture.items.item(url: fixture.server.url) == nil)
        #expect(try await fixture.items.file(.url(fixture.server.url)) == nil)
    }
}
