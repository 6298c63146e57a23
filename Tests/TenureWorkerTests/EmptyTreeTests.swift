import FoundationEssentials
import Logging
import Tenure
import TenureWorker
import Testing

/// A tree that turns out to have no job ends in the transaction that starts it: nobody has to come
/// and find it.
@Suite struct EmptyTreeTests {
    private func end(_ run: NewRun, _ fixture: WorkerFixture) async throws -> RunProgress? {
        try await Inspector(pool: fixture.pool).progress(ofRun: run.id)
    }

    @Test func `a tree that was given no job ends with its start, and what follows is there`()
        async throws
    {
        let fixture = try await WorkerFixture("empty tree")
        let run = NewRun([], whenEnded: try NewJob(kind: "last", payload: "{}", .keeping("a")))
        try await fixture.client.start(run)
        #expect(try await end(run, fixture)?.endedAt != nil)
        #expect(try await fixture.count("tenure.job WHERE kind = 'last' AND run_id IS NULL") == 1)
    }

    @Test func `a tree ends with its start when older jobs stand for all of its own`()
        async throws
    {
        let fixture = try await WorkerFixture("kept tree")
        let keeping = { try NewJob(kind: "k", payload: "{}", .keeping("a")) }
        let coalescing = { try NewJob(kind: "k", payload: "{}", .coalescing("b")) }
        let first = NewRun([try keeping(), try coalescing()])
        try await fixture.client.start(first)
        #expect(try await end(first, fixture)?.endedAt == nil)
        let second = NewRun(
            [try keeping(), try coalescing()],
            whenEnded: try NewJob(kind: "last", payload: "{}"))
        try await fixture.client.start(second)
        let ended = try await end(second, fixture)
        #expect(ended?.endedAt != nil && ended?.total == 0)
        #expect(try await fixture.count("tenure.job WHERE kind = 'last'") == 1)
        #expect(try await end(first, fixture)?.unfinished == 2)
    }

    @Test func `a tree takes jobs that come later in the transaction that starts it`()
        async throws
    {
        let fixture = try await WorkerFixture("later tree")
        let run = NewRun([])
        try await fixture.pool.transaction { transaction in
            try await fixture.client.start(run, in: transaction)
            var options = EnqueueOptions()
            options.run = run.id
            try fixture.client.enqueue(
                [try NewJob(kind: "k", payload: "{}", options: options)], in: transaction)
        }
        let progress = try await end(run, fixture)
        #expect(progress?.endedAt == nil && progress?.unfinished == 1)
    }

    @Test func `a tree that is rolled back leaves nothing, its end neither`() async throws {
        let fixture = try await WorkerFixture("no tree")
        let run = NewRun([], whenEnded: try NewJob(kind: "last", payload: "{}"))
        await #expect(throws: NeverHappened.self) {
            try await fixture.pool.transaction { transaction in
                try await fixture.client.start(run, in: transaction)
                throw NeverHappened(what: "a commit")
            }
        }
        #expect(try await end(run, fixture) == nil)
        #expect(try await fixture.count("tenure.job") == 0)
    }

    @Test func `a refused follow-up is told by the tree, the log and a count`() async throws {
        let recorder = Recorder()
        let fixture = try await WorkerFixture("refused").recorded(by: recorder)
        let over = NewRun([])
        try await fixture.client.start(over)
        var options = EnqueueOptions()
        options.run = over.id
        let jobs = { [try NewJob(kind: "edit", payload: "{}")] }
        let bad = NewRun(
            try jobs(), whenEnded: try NewJob(kind: "last", payload: "{}", options: options))
        let good = NewRun(try jobs(), whenEnded: try NewJob(kind: "last", payload: "{}"))
        var handlers = JobRegistry()
        handlers.handle(Nothing.self) { _, _ in .completed }
        try await fixture.client.start(bad)
        try await fixture.client.start(good)
        try await fixture.withWorker(handlers) {
            for run in [bad, good] { try await fixture.client.end(ofRun: run.id) }
        }
        let reason = "run \(over.id.uuidString.lowercased()) is over"
        #expect(try await end(bad, fixture)?.followUpRefused == reason)
        #expect(try await end(good, fixture)?.followUpRefused == nil)
        #expect(try await fixture.count("tenure.job WHERE kind = 'last'") == 1)
        let line = recorder.all.first { $0.message.contains("was refused") }
        #expect(line?.level == .error)
        #expect(line?.metadata["reason"] == "\(reason)")
        #expect(line?.metadata["run.id"] == "\(bad.id.uuidString.lowercased())")
    }
}

private struct Nothing: Job { static let kind: JobKind = "edit" }
