import Synchronization
import Tenure
import TenureWorker
import TestSupport
import Testing

private struct Part: Job {
    static let kind: JobKind = "part"
    static let options = JobOptions<Self>()
    let number: Int
}

private struct Whole: Job {
    static let kind: JobKind = "whole"
    static let options = JobOptions<Self>()
    var name = "whole"
}

/// What a handler can say and ask.
@Suite struct HandlerTests {
    @Test func `a retry that is asked for counts, waits as long as it said, and says why`()
        async throws
    {
        let fixture = try await WorkerFixture("retry")
        var jobs = JobRegistry()
        jobs.handle(Try.self) { _, context in
            context.attempt == 1
                ? .retry(after: .milliseconds(700), reason: "busy") : .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Try(way: "later"))
            try await fixture.eventually("it ended", "SELECT count(*) = 1 FROM tenure.job_history")
        }
        #expect(
            try await fixture.count(
                """
                tenure.job_history h JOIN tenure.attempt_error e ON e.job_id = h.id
                WHERE h.outcome = 'completed' AND h.attempt = 2 AND e.code = 'retry_asked'
                  AND e.message = 'busy' AND h.finished_at >= e.failed_at + interval '0.7 s'
                """) == 1)
    }

    @Test func `a retry after the last attempt is a discard, and a commit takes none`()
        async throws
    {
        let fixture = try await WorkerFixture("spent")
        let refused = Mutex<String?>(nil)
        var jobs = JobRegistry()
        jobs.handle(Try.self) { _, context in
            do {
                return try await context.commit(.retry(after: .zero, reason: "no"))
            } catch let error as TenureError {
                refused.withLock { $0 = error.message }
            }
            return .retry(after: .zero, reason: "busy")
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(
                Try(way: "once"), options: EnqueueOptions(maxAttempts: 1))
            try await fixture.eventually(
                "it is discarded",
                "SELECT count(*) = 1 FROM tenure.job_history WHERE outcome = 'discarded'")
        }
        #expect(refused.withLock { $0 }?.contains("context.checkpoint") == true)
    }

    @Test func `a second commit says that the first has ended the job`() async throws {
        let fixture = try await WorkerFixture("twice")
        let said = Mutex<[String]>([])
        let writer = ChunkWriter<Int> { _, _ in }
        var jobs = JobRegistry()
        jobs.handle(Whole.self) { _, context in
            let outcome = try await context.commit()
            let tries: [() async throws -> Void] = [
                { _ = try await context.commit() },
                { try await context.checkpoint { _ in } },
                { _ = try await context.commit(1, by: writer) },
            ]
            for again in tries {
                do { try await again() } catch let error as TenureError {
                    said.withLock { $0.append(error.message) }
                }
            }
            return outcome
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Whole())
            try await fixture.eventually(
                "it ended",
                "SELECT count(*) = 1 FROM tenure.job_history WHERE outcome = 'completed'")
            while said.withLock({ $0.count }) < 3 {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        let all = said.withLock { $0 }
        #expect(all.count == 3)
        let remark = "has ended already (completed), by this run's own commit"
        #expect(all.allSatisfy { $0.contains(remark) })
    }

    @Test func `follow-ups are the batch's, unless they leave it, and its end has their results`()
        async throws
    {
        let fixture = try await WorkerFixture("ended")
        let ended = Mutex<(EndedBatch, [Int])?>(nil)
        let strangers = Mutex<[Bool]>([])
        var jobs = JobRegistry()
        jobs.handle(Part.self) { job, context in
            if job.number > 0 { return try .completed(result: job.number * 10) }
            let gathered = Mutex<GatheredJob?>(nil)
            try await context.checkpoint { transaction in
                try context.client.enqueue(Part(number: 1), in: transaction)
            }
            let outcome = try await context.commit { transaction in
                // By a client of the program's own, too.
                let job = try fixture.client.enqueue(Part(number: 2), in: transaction)
                gathered.withLock { $0 = job }
                try context.client.enqueue(
                    Whole(name: "stranger"), options: EnqueueOptions(leavesBatch: true),
                    in: transaction)
            }
            #expect(try gathered.withLock { $0 }?.outcome.result == .enqueued)
            return outcome
        }
        jobs.handle(Whole.self) { job, context in
            guard let batch = try await context.endedBatch() else {
                strangers.withLock { $0.append(context.batchID == nil) }
                return .completed
            }
            let results = try await batch.results(as: Int.self, of: Part.kind)
            ended.withLock { $0 = (batch, results.map(\.value).sorted()) }
            return .completed
        }
        let batch = NewBatch([try NewJob(Part(number: 0))], whenEnded: try NewJob(Whole()))
        try await fixture.withWorker(jobs) {
            try await fixture.client.start(batch)
            try await fixture.eventually(
                "all ended", "SELECT count(*) = 5 FROM tenure.job_history")
        }
        let end = try #require(ended.withLock { $0 })
        #expect(end.0.id == batch.id)
        #expect(end.0.progress.completed == 3)
        #expect(end.1 == [10, 20])
        #expect(strangers.withLock { $0 } == [true])
    }

    @Test func `options that can't be used keep a worker from being made`() async throws {
        struct Wrong: Job {
            static let kind: JobKind = "wrong"
            static let options = JobOptions<Self>(timeout: .zero)
        }
        let fixture = try await WorkerFixture("wrong")
        var jobs = JobRegistry()
        jobs.handle(Wrong.self) { _, _ in .completed }
        #expect(throws: TenureError.self) { try Worker(pool: fixture.pool, jobs: jobs) }
    }
}
