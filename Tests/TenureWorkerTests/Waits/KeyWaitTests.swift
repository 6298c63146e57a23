import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// Jobs that wait for a key, with workers.
@Suite struct KeyWaitTests {
    typealias Calls = StepTests.Calls

    private struct Page: Job {
        static let kind: JobKind = "page"
        static let options = JobOptions<Self>(retry: .constant(maxAttempts: 1, .milliseconds(1)))
        var name: String
    }

    private struct Index: Job {
        static let kind: JobKind = "index"
        static let options = JobOptions<Self>()
        var name: String
    }

    private func jobs(
        _ calls: Calls, then: @escaping @Sendable (JobContext) async throws -> Void = { _ in }
    ) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Page.self) { page, _ in
            try await Task.sleep(for: .milliseconds(5))
            return page.name == "bad" ? .discard(reason: "no use") : .completed
        }
        jobs.handle(Index.self) { index, context in
            calls.add(index.name)
            try await then(context)
            return .completed
        }
        return jobs
    }

    /// Two wait after each supersede, while two workers run what they can.
    @Test func `a key superseded fifty times lets each of a hundred go once, behind its commit`()
        async throws
    {
        let fixture = try await WorkerFixture("key_wait")
        let calls = Calls()
        let client = fixture.client
        try await fixture.withWorker(jobs(calls), slots: 4) {
            try await fixture.withWorker(jobs(calls), slots: 4) {
                for turn in 0..<50 {
                    try await client.enqueue(Page(name: "\(turn)"), .superseding("a"))
                    for half in ["a", "b"] {
                        try await client.enqueue(
                            Index(name: "\(turn)\(half)"),
                            options: EnqueueOptions(after: [.key(Page.self, "a")]))
                    }
                    if turn % 5 == 4 { try await Task.sleep(for: .milliseconds(30)) }
                }
                try await fixture.eventually(
                    "all ended", "SELECT count(*) = 150 FROM tenure.job_history")
            }
        }
        #expect(calls.all.count == 100 && Set(calls.all).count == 100)
        #expect(
            try await fixture.count(
                "tenure.job_history WHERE kind = 'index' AND outcome = 'completed'") == 100)
        #expect(
            try await fixture.count(
                """
                tenure.job_history h JOIN tenure.job_after a ON a.job_id = h.id
                JOIN tenure.key_wait w ON w.id = a.needs
                WHERE NOT w.is_open AND NOT EXISTS (
                    SELECT FROM tenure.job_history p
                    WHERE p.kind = w.kind AND p.key = w.key AND p.outcome = 'completed'
                      AND p.generation >= w.generation AND p.finished_at <= h.claimed_at)
                """) == 0)
        // Some were handed on.
        #expect(
            try await fixture.count("tenure.job_history WHERE outcome = 'superseded'") > 0)
        #expect(try await fixture.count("tenure.key_wait WHERE is_open") == 0)
        #expect(try await fixture.count("tenure.subject WHERE is_awaited") == 0)
    }

    @Test func `who waits for a key is told which, and is cancelled when it is given up`()
        async throws
    {
        let fixture = try await WorkerFixture("key_wait")
        let calls = Calls()
        let ends = Mutex<[PredecessorEnd]>([])
        let jobs = jobs(calls) { context in
            let all = try await context.predecessors()
            ends.withLock { $0 = all }
        }
        let client = fixture.client
        let good = try await client.enqueue(Page(name: "good"), .superseding("good"))
        let bad = try await client.enqueue(Page(name: "bad"), .superseding("bad"))
        let index = try await client.enqueue(
            Index(name: "index"), options: EnqueueOptions(after: [.key(Page.self, "good")])
        ).id
        let both = try await client.enqueue(
            Index(name: "both"),
            options: EnqueueOptions(after: [.key("page", "good"), .key("page", "bad")])
        ).id
        let inspector = Inspector(pool: fixture.pool)
        let detail = try #require(try await inspector.job(both))
        #expect(detail.after.count == 2 && detail.after.open == 2)
        let delay = try #require(try await inspector.delays(of: detail).first)
        #expect(delay.detail.contains("key \"good\" of page"), "\(delay.detail)")
        async let end = client.end(of: both, deadline: .seconds(60))
        try await fixture.withWorker(jobs) {
            try await fixture.eventually(
                "all ended", "SELECT count(*) = 4 FROM tenure.job_history")
        }
        #expect(try await end.reason == "after: job \(bad.id) was discarded: no use")
        let seen = ends.withLock { $0 }
        #expect(seen.count == 1 && seen.first?.status == .completed)
        #expect(seen.first?.key?.key == "good" && seen.first?.key?.kind == Page.kind)
        #expect(seen.first?.key?.generation == good.generation)
        let past = try #require(try await inspector.job(index))
        #expect(past.after.open == 0 && past.after.jobs.first?.status == .completed)
    }

    @Test func `a key nobody knows, the own key and a circle are refused in Swift's words`()
        async throws
    {
        let fixture = try await WorkerFixture("key_wait")
        let client = fixture.client
        func refused(_ mode: KeyMode?, _ key: String, _ text: String) async throws {
            await #expect {
                try await client.enqueue(
                    Page(name: "a"), mode, options: EnqueueOptions(after: [.key("page", key)]))
            } throws: { "\($0)".contains(text) }
        }
        try await refused(nil, "never", "of which nothing is known")
        try await client.enqueue(Page(name: "a"), .superseding("a"))
        try await refused(.superseding("a"), "a", "own key")
        try await client.enqueue(
            Page(name: "b"), .superseding("b"),
            options: EnqueueOptions(after: [.key("page", "a")]))
        try await refused(.superseding("a"), "b", "in a circle")
        #expect(throws: TenureError.self) {
            try NewJob(Page(name: "a"), options: EnqueueOptions(after: [.key("page", "")]))
        }
        #expect(try await fixture.count("tenure.job") == 2)
    }
}
