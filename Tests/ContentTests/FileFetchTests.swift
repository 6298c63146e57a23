import Content
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// Files over real servers that behave as servers do.
@Suite struct FileFetchTests {
    private let file = TestFile(size: 9 << 20 | 12_345)

    private func fixture(
        _ change: (inout FileServer.Behaviour) -> Void = { _ in }
    ) async throws -> FileFixture {
        var behaviour = FileServer.Behaviour(file: file)
        change(&behaviour)
        return try await FileFixture(behaviour)
    }

    @Test func `a file comes in pieces and is read back`() async throws {
        let fixture = try await fixture()
        let job = try await fixture.fetch()
        #expect(job.summary.status == .completed)
        try await fixture.expectKept(file)
        #expect(try await fixture.value("SELECT count(*) FROM content.chunk", as: Int64.self) == 3)
        #expect(fixture.server.requests.map(\.range) == [nil])
        let kept = try #require(try await fixture.items.file(.url(fixture.server.url)))
        let same = try #require(try await fixture.items.file(.id(try await fixture.itemID())))
        #expect(kept == same)
        #expect(kept.hash == (try await fixture.hashInDatabase()))
    }

    @Test func `a dropped connection costs no attempt while something comes`() async throws {
        let fixture = try await fixture { $0.dropsAfter = 3 << 20 }
        let job = try await fixture.fetch()
        #expect(job.summary.status == .completed)
        #expect(job.summary.attempt == 1)
        #expect(job.errors.isEmpty)
        try await fixture.expectKept(file)
        #expect(fixture.server.requests.map(\.status) == [200, 206, 206, 206])
        #expect(
            fixture.server.requests.map(\.range)
                == [nil] + (1...3).map { "bytes=\($0 * 3 << 20)-" })
        #expect(fixture.server.requests.dropFirst().allSatisfy { $0.ifRange == "\"one\"" })
    }

    @Test func `a connection that brings next to nothing costs an attempt`() async throws {
        let fixture = try await fixture { $0.dropsAfter = 100 }
        let job = try await fixture.fetch(attempts: 3)
        #expect(job.summary.status == .discarded)
        #expect(job.errors.count == 3)
        #expect(job.progress?.progress.done == 300)
        #expect(job.progress?.progress.note?.contains("interrupted") == true)
    }

    @Test func `a file that changes midway is begun anew, and the old one stays until then`()
        async throws
    {
        let fixture = try await fixture()
        try await fixture.fetch()
        let newer = TestFile(size: file.size, seed: 2)
        fixture.server.change {
            $0.file = newer
            $0.etag = "\"two\""
            $0.dropsAfter = 4 << 20
        }
        let newest = TestFile(size: file.size, seed: 3)
        let server = fixture.server
        let job = try await fixture.fetchWatching { received in
            guard received > 0 else { return }
            server.change {
                $0.file = newest
                $0.etag = "\"three\""
            }
        }
        #expect(job.summary.status == .completed)
        try await fixture.expectKept(newest)
        #expect(fixture.server.requests.map(\.status).filter { $0 == 200 }.count == 3)
        #expect(
            try await fixture.value(
                "SELECT count(*) FROM content.download WHERE is_open", as: Int64.self) == 0)
    }

    @Test func `a server without ranges is asked for the whole again`() async throws {
        let fixture = try await fixture {
            $0.ranges = .ignored
            $0.dropsAfter = 5 << 20
        }
        let server = fixture.server
        let job = try await fixture.fetch(attempts: 3)
        // Nothing is gained by what is thrown away: only the first loss looked like a gain.
        #expect(job.summary.status == .discarded)
        #expect(job.runs == 4)
        server.change { $0.dropsAfter = nil }
        #expect(try await fixture.fetch().summary.status == .completed)
        try await fixture.expectKept(file)
    }

    @Test(arguments: ["W/\"weak\"", nil]) func `without a strong validator nothing is put together`(
        etag: String?
    ) async throws {
        let fixture = try await fixture {
            $0.etag = etag
            // Written in the second it was sent in: it may have changed in that second.
            $0.lastModified = "Sat, 21 Nov 2026 12:00:00 GMT"
            $0.dropsAfter = 5 << 20
        }
        let job = try await fixture.fetch(attempts: 2)
        #expect(job.summary.status == .discarded)
        #expect(fixture.server.requests.map(\.range) == [nil, nil])
        fixture.server.change { $0.dropsAfter = nil }
        #expect(try await fixture.fetch().summary.status == .completed)
        try await fixture.expectKept(file)
    }

    @Test func `an old date is a strong validator`() async throws {
        let date = "Fri, 20 Nov 2026 12:00:00 GMT"
        let fixture = try await fixture {
            $0.etag = nil
            $0.lastModified = date
            $0.dropsAfter = 5 << 20
        }
        #expect(try await fixture.fetch().summary.status == .completed)
        try await fixture.expectKept(file)
        #expect(fixture.server.requests.last?.ifRange == date)
    }

    @Test func `ranges that are wrong are never put to what is there`() async throws {
        let wrong: [(FileServer.Behaviour.Ranges, String)] = [
            (.shifted, "a part that begins at"), (.otherTotal, "a part of"),
            (.refused, "the server has no byte"),
        ]
        for (ranges, why) in wrong {
            let fixture = try await fixture {
                $0.ranges = ranges
                $0.dropsAfter = 5 << 20
            }
            let server = fixture.server
            let job = try await fixture.fetchWatching(attempts: 4) { _ in
                if server.requests.count >= 2 { server.change { $0.dropsAfter = nil } }
            }
            #expect(job.summary.status == .completed, "\(ranges)")
            #expect(job.errors.first?.message.hasPrefix(why) == true, "\(job.errors)")
            try await fixture.expectKept(file)
        }
    }

    @Test func `parts that are smaller than the rest are all asked for`() async throws {
        let fixture = try await fixture {
            $0.ranges = .atMost(3 << 20)
            $0.dropsAfter = 3 << 20
        }
        let job = try await fixture.fetch()
        #expect(job.summary.status == .completed)
        try await fixture.expectKept(file)
        #expect(job.errors.isEmpty)
    }

    @Test func `a total that lies ends with what there is, or with an error`() async throws {
        // More is announced than there is: the rest is asked for, and the server says that it ends.
        let fixture = try await fixture { $0.lie = 1000 }
        let job = try await fixture.fetch()
        #expect(job.summary.status == .completed)
        try await fixture.expectKept(file)
        #expect(fixture.server.requests.map(\.status) == [200, 416])
    }

    @Test func `nobody knows the total, and it is complete where it ends`() async throws {
        let fixture = try await fixture { $0.isChunked = true }
        #expect(try await fixture.fetch().summary.status == .completed)
        try await fixture.expectKept(file)
        let dropping = try await self.fixture {
            $0.isChunked = true
            $0.dropsAfter = 4 << 20
        }
        #expect(try await dropping.fetch().summary.status == .completed)
        try await dropping.expectKept(file)
    }

    @Test func `no bytes at all are a file too`() async throws {
        let empty = TestFile(size: 0)
        let fixture = try await fixture { $0.file = empty }
        #expect(try await fixture.fetch().summary.status == .completed)
        try await fixture.expectKept(empty)
        let kept = try #require(try await fixture.items.file(.url(fixture.server.url)))
        #expect(kept.hash.hasPrefix("e3b0c44298fc1c14"))
    }

    @Test func `an unchanged file is not sent again`() async throws {
        let fixture = try await fixture()
        try await fixture.fetch()
        let job = try await fixture.fetch()
        #expect(job.result?.contains("unchanged") == true)
        #expect(fixture.server.requests.map(\.status) == [200, 304])
        #expect(fixture.server.requests.last?.ifNoneMatch == "\"one\"")
        try await fixture.fetch(force: true)
        #expect(fixture.server.requests.map(\.status) == [200, 304, 200])
        // The same bytes came again: they are kept once, and the others can go.
        #expect(
            try await fixture.value("SELECT count(*) FROM content.large_body", as: Int64.self) == 1)
        try await fixture.fetch()
        #expect(
            try await fixture.value("SELECT count(*) FROM content.download", as: Int64.self) == 1)
    }

    @Test func `a body that is there already is kept once`() async throws {
        let fixture = try await fixture()
        try await fixture.content.pool.query(
            "INSERT INTO content.body (hash, bytes) VALUES (sha256($1), $1)",
            [file.bytes(0..<file.size)])
        try await fixture.fetch()
        try await fixture.expectKept(file)
        #expect(
            try await fixture.value("SELECT count(*) FROM content.large_body", as: Int64.self) == 0)
    }

    @Test func `a cancelled fetch closes its connection within 100 ms`() async throws {
        let fixture = try await fixture { $0.hangsAfter = 100 << 10 }
        var configuration = ContentConfiguration()
        try configuration.allow(["127.0.0.1"])
        // Other tests load the machine meanwhile: what is looked for is that it can be fast.
        let tries = try await fixture.content.withWorkers(configuration: configuration) {
            var tries: [Duration] = []
            for _ in 0..<10 where !tries.contains(where: { $0 < .milliseconds(100) }) {
                tries.append(try await fixture.timeToClose())
            }
            return tries
        }
        #expect(tries.contains { $0 < .milliseconds(100 * patience) }, "\(tries)")
        #expect(try await fixture.value("SELECT count(*) FROM tenure.attempt_error") == Int64(0))
    }

    @Test func `no byte is committed twice, and none left out, whoever writes`() async throws {
        let fixture = try await fixture()
        try await fixture.fetch()
        let id = try await fixture.value("SELECT min(download) FROM content.chunk", as: Int64.self)
        for (start, stop) in [(0, 5), (1, 2), (4 << 20, 4 << 20 | 1), (20 << 20, 21 << 20)] {
            await #expect(throws: PostgresError.self, "\(start) to \(stop)") {
                try await fixture.content.pool.query(
                    """
                    INSERT INTO content.chunk (download, start, stop, bytes)
                    VALUES (\(id), \(start), \(stop), decode(repeat('00', \(stop - start)), 'hex'))
                    """)
            }
        }
    }
}

extension FileFixture {
    /// A fetch while somebody looks on: how much of the open download is committed.
    func fetchWatching(
        attempts: Int = 3, _ look: @escaping @Sendable (Int64) -> Void
    ) async throws -> JobDetail {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    look(
                        try await value(
                            """
                            SELECT coalesce(max(received), 0) FROM content.download WHERE is_open
                            """, as: Int64.self))
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            let detail = try await fetch(attempts: attempts)
            group.cancelAll()
            return detail
        }
    }

    /// From an operator's cancel of a fetch whose server has fallen silent until that sees it.
    fileprivate func timeToClose() async throws -> Duration {
        let number = server.hangs
        let job = try await enqueue()
        try await eventually("it hangs") { server.hangs > number }
        let asked = ContinuousClock.now
        _ = try await Operator(client: content.client, as: "ada").cancel(job)
        try await eventually("it closes") { server.closedAt.count > number }
        let closed = try #require(server.closedAt.last)
        _ = try await finished(job)
        return closed - asked
    }

    func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("never: \(what)")
    }

    func itemID() async throws -> UUID { try await value("SELECT id FROM content.file") }

    /// PostgreSQL's own, of all the pieces put together.
    func hashInDatabase() async throws -> String {
        try await value(
            "SELECT encode(sha256(string_agg(bytes, '' ORDER BY start)), 'hex') FROM content.chunk")
    }
}
