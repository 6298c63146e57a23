import Logging
import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// A job that has so many more below it.
private struct Branch: Job {
    static let kind: JobKind = "branch"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 3, .milliseconds(20)))
    let below: Int
    var fails = false
}

/// What a batch's end enqueues.
private struct Last: Job {
    static let kind: JobKind = "last"
    static let options = JobOptions<Self>()
    let batch: UUID
}

/// Batches of jobs with real workers.
@Suite(.serialized) struct BatchTests {
    /// Ten below each, two levels deep.
    private func grow(_ jobs: inout JobRegistry) {
        jobs.handle(Branch.self) { job, context in
            if job.fails { throw NeverHappened(what: "as it was told") }
            guard job.below > 0 else { return .completed }
            return try await context.commit { transaction in
                var options = EnqueueOptions()
                options.batch = context.batchID
                options.parent = context.jobID
                for _ in 0..<10 {
                    try context.client.enqueue(
                        Branch(below: job.below - 1), options: options, in: transaction)
                }
            }
        }
    }

    @Test func `a batch ends when its last descendant has, and its follow-up sees all of it`()
        async throws
    {
        let fixture = try await WorkerFixture("batch")
        let seen = Mutex<[BatchProgress]>([])
        var jobs = JobRegistry()
        grow(&jobs)
        jobs.handle(Last.self) { job, _ in
            if let end = try await Inspector(pool: fixture.pool).progress(ofBatch: job.batch) {
                seen.withLock { $0.append(end) }
            }
            return .completed
        }
        try await fixture.withWorker(jobs, slots: 20) {
            let id = JobID().uuid
            try await fixture.client.start(
                NewBatch(
                    id: id,
                    [try NewJob(Branch(below: 2)), try NewJob(Branch(below: 0, fails: true))],
                    whenEnded: try NewJob(Last(batch: id))))
            let end = try await fixture.client.end(ofBatch: id)
            #expect(end.total == 112 && end.completed == 111 && end.discarded == 1)
            #expect(end.endedAt != nil && end.cancelledAt == nil)
            try await fixture.eventually(
                "its follow-up ran",
                "SELECT count(*) = 1 FROM tenure.job_history WHERE kind = 'last'")
            #expect(seen.withLock { $0 } == [end])
        }
    }

    @Test func `an empty batch ends at once, and a batch started in a commit is there with it`()
        async throws
    {
        let fixture = try await WorkerFixture("empty")
        let inner = JobID().uuid
        var jobs = JobRegistry()
        jobs.handle(Branch.self) { _, context in
            try await context.commit { transaction in
                try await context.client.start(
                    NewBatch(id: inner, [try NewJob(Last(batch: inner))]), in: transaction)
            }
        }
        jobs.handle(Last.self) { _, _ in .completed }
        try await fixture.withWorker(jobs) {
            let empty = NewBatch([])
            try await fixture.client.start(empty)
            _ = try await fixture.client.enqueue(Branch(below: 0))
            try await fixture.eventually(
                "the inner batch has ended",
                "SELECT count(*) = 1 FROM tenure.batch WHERE ended_at IS NOT NULL "
                    + "AND id = '\(inner)'")
            #expect(try await fixture.client.end(ofBatch: empty.id).total == 0)
        }
    }

    @Test func `of 50,000 children cancelled halfway none starts 200 ms after the verdict`()
        async throws
    {
        let fixture = try await WorkerFixture("cancelled")
        let count = 50_000
        let starts = Mutex<(count: Int, last: ContinuousClock.Instant?)>((0, nil))
        let returned = Atomic(0)
        var jobs = JobRegistry()
        jobs.handle(Branch.self) { _, _ in
            starts.withLock { $0 = ($0.count + 1, .now) }
            // Long enough for handlers to be running when it comes.
            try await Task.sleep(for: .milliseconds(2))
            returned.add(1, ordering: .relaxed)
            return .completed
        }
        var recorder = Recorder()
        recorder.logLevel = .debug
        let batch = NewBatch(try (0..<count).map { _ in try NewJob(Branch(below: 0)) })
        try await fixture.client.start(batch)
        let recorded = try fixture.recorded(by: recorder)
        let completed = try await recorded.withWorker(jobs, slots: 60, lease: .seconds(30)) {
            while starts.withLock({ $0.count }) < count / 2 {
                try await Task.sleep(for: .milliseconds(2))
            }
            let clock = ContinuousClock()
            let asked = clock.now
            try await Operator(client: fixture.client, as: "ada").cancel(batch: batch.id)
            let took = clock.now - asked
            let end = try await fixture.client.end(ofBatch: batch.id)
            let all = starts.withLock { $0 }
            // The verdict can't be earlier than the question.
            let latest = all.last.map { asked.duration(to: $0) } ?? .zero
            print(
                "cancelled \(count): latest start \(latest) after it was asked, moved to history "
                    + "after \(took), \(end.completed) completed, \(end.cancelled) cancelled")
            #expect(latest < .milliseconds(200) * patience)
            #expect(end.completed + end.cancelled == count && end.total == count)
            #expect(end.unfinished == 0 && end.cancelledBy == "ada")
            #expect(try await fixture.count("tenure.attempt_error") == 0)
            return end.completed
        }
        // What had started has completed, or is told of as cancelled: stopped by the verdict, no
        // more than had a slot, or with a result that came after it.
        let (begun, done) = (starts.withLock { $0.count }, returned.load(ordering: .relaxed))
        let cancelled = recorder.all.count {
            $0.message == "job ended" && $0.metadata["job.outcome"] == "cancelled"
                && $0.metadata["duration"] != "not begun"
        }
        #expect(begun == completed + cancelled && begun - done <= 60)
    }

    @Test func `the numbers of a batch of 50,000 are had in no time`() async throws {
        let fixture = try await WorkerFixture("numbers")
        let batch = NewBatch(try (0..<50_000).map { _ in try NewJob(Branch(below: 0)) })
        try await fixture.client.start(batch)
        let inspector = Inspector(pool: fixture.pool)
        try await fixture.pool.simple("VACUUM ANALYZE tenure.job")
        let clock = ContinuousClock()
        var start = clock.now
        _ = try await inspector.progress(ofBatch: batch.id)
        let live = clock.now - start
        try await Operator(client: fixture.client, as: "ada").cancel(batch: batch.id)
        start = clock.now
        let end = try await inspector.progress(ofBatch: batch.id)
        let ended = clock.now - start
        #expect(end?.cancelled == 50_000)
        print("numbers of 50,000: pending \(live), ended \(ended)")
        #expect(live < .milliseconds(250) * patience && ended < .milliseconds(500) * patience)
    }
}
