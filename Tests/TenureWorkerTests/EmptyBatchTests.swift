import Logging
import Tenure
import TenureFoundation
import TenureWorker
import Testing

/// A batch that turns out to have no job ends in the transaction that starts it: nobody has to come
/// and find it.
@Suite struct EmptyBatchTests {
    private func end(_ batch: NewBatch, _ fixture: WorkerFixture) async throws -> BatchProgress? {
        try await Inspector(pool: fixture.pool).progress(ofBatch: batch.id)
    }

    @Test func `a batch that was given no job ends with its start, and what follows is there`()
        async throws
    {
        let fixture = try await WorkerFixture("empty batch")
        let batch = NewBatch([], whenEnded: try NewJob(kind: "last", payload: "{}", .keeping("a")))
        try await fixture.client.start(batch)
        #expect(try await end(batch, fixture)?.endedAt != nil)
        #expect(try await fixture.count("tenure.job WHERE kind = 'last' AND batch_id IS NULL") == 1)
    }

    @Test func `a batch ends with its start when older jobs stand for all of its own`()
        async throws
    {
        let fixture = try await WorkerFixture("kept batch")
        let keeping = { try NewJob(kind: "k", payload: "{}", .keeping("a")) }
        let coalescing = { try NewJob(kind: "k", payload: "{}", .coalescing("b")) }
        let first = NewBatch([try keeping(), try coalescing()])
        try await fixture.client.start(first)
        #expect(try await end(first, fixture)?.endedAt == nil)
        let second = NewBatch(
            [try keeping(), try coalescing()],
            whenEnded: try NewJob(kind: "last", payload: "{}"))
        try await fixture.client.start(second)
        let ended = try await end(second, fixture)
        #expect(ended?.endedAt != nil && ended?.total == 0)
        #expect(try await fixture.count("tenure.job WHERE kind = 'last'") == 1)
        #expect(try await end(first, fixture)?.unfinished == 2)
    }

    @Test func `a batch takes jobs that come later in the transaction that starts it`()
        async throws
    {
        let fixture = try await WorkerFixture("later batch")
        let batch = NewBatch([])
        try await fixture.pool.transaction { transaction in
            try await fixture.client.start(batch, in: transaction)
            var options = EnqueueOptions()
            options.batch = batch.id
            try fixture.client.enqueue(
                [try NewJob(kind: "k", payload: "{}", options: options)], in: transaction)
        }
        let progress = try await end(batch, fixture)
        #expect(progress?.endedAt == nil && progress?.unfinished == 1)
    }

    @Test func `a batch that is rolled back leaves nothing, its end neither`() async throws {
        let fixture = try await WorkerFixture("no batch")
        let batch = NewBatch([], whenEnded: try NewJob(kind: "last", payload: "{}"))
        await #expect(throws: NeverHappened.self) {
            try await fixture.pool.transaction { transaction in
                try await fixture.client.start(batch, in: transaction)
                throw NeverHappened(what: "a commit")
            }
        }
        #expect(try await end(batch, fixture) == nil)
        #expect(try await fixture.count("tenure.job") == 0)
    }

    @Test func `a refused follow-up is told by the batch, the log and a count`() async throws {
        let recorder = Recorder()
        let fixture = try await WorkerFixture("refused").recorded(by: recorder)
        let over = NewBatch([])
        try await fixture.client.start(over)
        var options = EnqueueOptions()
        options.batch = over.id
        let jobs = { [try NewJob(kind: "edit", payload: "{}")] }
        let bad = NewBatch(
            try jobs(), whenEnded: try NewJob(kind: "last", payload: "{}", options: options))
        let good = NewBatch(try jobs(), whenEnded: try NewJob(kind: "last", payload: "{}"))
        var handlers = JobRegistry()
        handlers.handle(Nothing.self) { _, _ in .completed }
        try await fixture.client.start(bad)
        try await fixture.client.start(good)
        try await fixture.withWorker(handlers) {
            for batch in [bad, good] { try await fixture.client.end(ofBatch: batch.id) }
        }
        let reason = "batch \(over.id.uuidString.lowercased()) is over"
        #expect(try await end(bad, fixture)?.followUpRefused == reason)
        #expect(try await end(good, fixture)?.followUpRefused == nil)
        #expect(try await fixture.count("tenure.job WHERE kind = 'last'") == 1)
        let line = recorder.all.first { $0.message.contains("was refused") }
        #expect(line?.level == .error)
        #expect(line?.metadata["reason"] == "\(reason)")
        #expect(line?.metadata["batch.id"] == "\(bad.id.uuidString.lowercased())")
    }
}

private struct Nothing: Job {
    static let kind: JobKind = "edit"
    static let options = JobOptions<Self>()
}
