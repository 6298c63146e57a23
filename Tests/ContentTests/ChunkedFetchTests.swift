import Content
import HTTPTransport
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// Pages that are ready together are committed together, and wait for no other.
@Suite(.serialized) struct ChunkedFetchTests {
    @Test func `a host that takes a minute keeps no other page waiting`() async throws {
        let bench = try await FetchBench("slow host")
        var content = ContentConfiguration()
        (content.hostInterval, content.requestsPerHost) = (.zero, 64)
        content.limits.firstByte = .seconds(90)
        try content.allow(["127.0.0.1"])
        try await bench.fixture.withWorkers(slots: 32, configuration: content) { [content] in
            let alone = try await fetch(0..<31, slow: nil, by: bench, content)
            let beside = try await fetch(100..<132, slow: 107, by: bench, content)
            // Each with what the machine takes to read them just now.
            #expect(beside - alone < .seconds(1) * patience)
            let (count, commits) = try await stored(by: bench)
            #expect(count == 62)
            // By a few transactions together, and not each by its own.
            #expect(commits < 48)
            #expect(try await bench.state(of: bench.web.url + "/107") != "broken")
        }
    }

    /// - Returns: from when all answers may come to when all but the slow one are committed.
    private func fetch(
        _ numbers: Range<Int>, slow: Int?, by bench: FetchBench, _ content: ContentConfiguration
    ) async throws -> Duration {
        let gate = Gate()
        for number in numbers {
            var answer = LocalWeb.Answer.page(page("Page \(number)", words: 200))
            answer.gate = number == slow ? Gate() : gate
            bench.web.answer("/\(number)", answer)
        }
        let jobs = try numbers.map { number in
            let fetch = bench.fetch("/\(number)")
            return try NewJob(fetch, .keeping(fetch.key), options: fetch.options(content))
        }
        let before = (bench.web.requests.count, try await stored(by: bench).count)
        try await bench.fixture.client.enqueue(jobs)
        while bench.web.requests.count < before.0 + numbers.count {
            try await Task.sleep(for: .milliseconds(5))
        }
        gate.open()
        let ready = ContinuousClock.now
        while try await stored(by: bench).count < before.1 + 31 {
            try await Task.sleep(for: .milliseconds(10))
        }
        return ContinuousClock.now - ready
    }

    private func stored(by bench: FetchBench) async throws -> (count: Int, commits: Int) {
        try await bench.pool.query(
            """
            SELECT count(*), count(DISTINCT f.xmin::text) FROM content.fetch_run f
            WHERE f.outcome = 'stored'
            """
        ) {
            (Int(try $0.decode(0, as: Int64.self)), Int(try $0.decode(1, as: Int64.self)))
        }[0]
    }
}
