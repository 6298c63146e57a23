import Synchronization
import Tenure
import TenureTestKit
import TenureWorker
import Testing

/// A database's jobs, run in the test's own process.
@Suite struct TestQueueTests {
    @Test func `a drain runs what is due, follow-ups too, and says what each became`() async throws
    {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Count.self) { job, context in
            if job.to == 0 { return .discard(reason: "nothing to count") }
            return try await context.commit { transaction in
                try context.client.enqueue(Note(text: "counted"), in: transaction)
            }
        }
        jobs.handle(Note.self) { note, context in
            context.progress(done: 1)
            if note.text.isEmpty { throw Refused() }
            return .completed
        }
        let queue = fixture.queue(jobs)
        var urgent = EnqueueOptions()
        urgent.priority = .urgent
        try await queue.client.enqueue(Count(to: 2), .superseding("two"))
        try await queue.client.enqueue(Note())
        try await queue.client.enqueue(Count(to: 0), options: urgent)
        let runs = try await queue.drain()
        #expect(runs.map(\.kind) == [Count.kind, Count.kind, Note.kind, Note.kind])
        #expect(runs.map(\.became) == [.discarded, .completed, .retryable, .completed])
        #expect(runs[0].reason == "nothing to count")
        #expect(runs[1].key == "two")
        #expect(runs[2].error is Refused)
        #expect(runs[3].progress.map(\.done) == [1])
        #expect(try await queue.drain().isEmpty)
        let left = try await queue.enqueued(Note.self)
        #expect(left.map(\.status) == [.retryable])
        #expect(left.map(\.attempt) == [1])
    }

    @Test func `a drain runs the letters of what it discards`() async throws {
        let fixture = try await KitFixture()
        let told = Mutex<[String]>([])
        var jobs = JobRegistry()
        jobs.handle(Doubt.self) { _, _ in .discard(reason: "nobody knows") }
        jobs.handle(DoubtTold.self) { job, _ in
            let doubt = try job.letter.payload(as: Doubt.self)
            told.withLock { $0.append("\(doubt.of): \(job.letter.reason ?? "")") }
            return .completed
        }
        let queue = fixture.queue(jobs)
        try await queue.client.enqueue(Doubt(of: "all"))
        let runs = try await queue.drain()
        #expect(runs.map(\.became) == [.discarded, .completed])
        #expect(told.withLock { $0 } == ["all: nobody knows"])
    }

    @Test func `a drain runs jobs that wait for others, behind them`() async throws {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Count.self) { job, _ in
            job.to == 0 ? .discard(reason: "nothing to count") : .completed
        }
        jobs.handle(Note.self) { _, _ in .completed }
        let queue = fixture.queue(jobs)
        let good = try NewJob(Count(to: 2))
        let bad = try NewJob(Count(to: 0))
        let after = try NewJob(
            Note(text: "after"), options: EnqueueOptions(after: [.completed(good.id)]))
        let never = try NewJob(
            Note(text: "never"), options: EnqueueOptions(after: [.completed(bad.id)]))
        try await queue.client.enqueue([after, never, bad, good])
        let runs = try await queue.drain()
        #expect(runs.map(\.kind) == [Count.kind, Count.kind, Note.kind])
        #expect(try await queue.enqueued(Note.self).isEmpty)
    }

    @Test func `jobs that share a writer are committed, each alone`() async throws {
        let fixture = try await KitFixture()
        let sizes = Mutex<[Int]>([])
        let writer = ChunkWriter<Int>(upTo: 8) { members, transaction in
            sizes.withLock { $0.append(members.count) }
            for member in members {
                try member.context.client.enqueue(Note(text: "\(member.value)"), in: transaction)
                if member.value == 0 { throw Refused() }
            }
        }
        var jobs = JobRegistry()
        jobs.handle(Count.self) { job, context in try await context.commit(job.to, by: writer) }
        let queue = fixture.queue(jobs)
        try await queue.client.enqueue([try NewJob(Count(to: 2)), try NewJob(Count(to: 0))])
        let runs = try await queue.drain()
        #expect(runs.map(\.became) == [.completed, .retryable])
        #expect(runs[1].error is Refused)
        #expect(try await queue.enqueued(Note.self).map(\.job) == [Note(text: "2")])
        #expect(sizes.withLock { $0 } == [1, 1])
    }

    @Test func `a drain ahead tries again and runs what is put off, as far as it is told`()
        async throws
    {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Count.self) { _, _ in throw Refused() }
        jobs.handle(Note.self) { _, _ in .completed }
        let queue = fixture.queue(jobs)
        var later = EnqueueOptions()
        later.runTime = .after(.seconds(7200))
        try await queue.client.enqueue(Count())
        try await queue.client.enqueue(Note(text: "later"), options: later)
        #expect(try await queue.drain().map(\.became) == [.retryable])
        let second = try await queue.drain(ahead: .seconds(90))
        #expect(second.map(\.became) == [.retryable])
        let third = try await queue.drain(ahead: .seconds(90))
        #expect(third.map(\.attempt) == [3])
        #expect(third.map(\.became) == [.discarded])
        #expect(try await queue.enqueued(Note.self).map(\.job.text) == ["later"])
        #expect(try await queue.drain(ahead: .seconds(7300)).map(\.kind) == [Note.kind])
    }

    @Test func `a drain that would never end says so, and leaves the job as it was`() async throws {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, context in
            try await context.commit { transaction in
                try context.client.enqueue(note, in: transaction)
            }
        }
        let queue = fixture.queue(jobs)
        try await queue.client.enqueue(Note(text: "again"))
        await #expect(throws: TestKitError.self) { try await queue.drain(limit: 5) }
        let left = try await queue.enqueued(Note.self)
        #expect(left.map(\.status) == [.available])
        #expect(left.map(\.attempt) == [0])
    }

    @Test func `a job that comes again every minute runs as often as the time ahead has minutes`()
        async throws
    {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, context in
            try await context.commit { transaction in
                var later = EnqueueOptions()
                later.runTime = .after(.seconds(60))
                try context.client.enqueue(note, options: later, in: transaction)
            }
        }
        jobs.handle(Count.self) { job, _ in job.to == 1 ? .snooze(for: .seconds(100)) : .completed }
        let queue = fixture.queue(jobs)
        try await queue.client.enqueue(Note(text: "again"))
        try await queue.client.enqueue(Count(to: 1))
        let runs = try await queue.drain(ahead: .seconds(290))
        // At 0, 60, 120, 180 and 240 seconds; and at 0, 100 and 200.
        let expected = [0, 1, 0, 1, 0, 0, 1, 0].map { [Note.kind, Count.kind][$0] }
        #expect(runs.map(\.kind) == expected)
    }

    @Test func `jobs of queues that are paused or not named stay where they are`() async throws {
        let fixture = try await KitFixture()
        let count = Mutex(0)
        var jobs = JobRegistry()
        jobs.handle(Note.self) { _, _ in
            count.withLock { $0 += 1 }
            return .completed
        }
        let queue = fixture.queue(jobs)
        for name: QueueName in ["one", "two", "three"] {
            var options = EnqueueOptions()
            options.queue = name
            try await queue.client.enqueue(Note(text: "\(name)"), options: options)
        }
        try await Operator(client: queue.client, as: "test").pause("two")
        #expect(try await queue.drain(["one"]).map(\.queue) == ["one"])
        #expect(try await queue.drain(ahead: .seconds(60)).map(\.queue) == ["three"])
        #expect(try await queue.enqueued(Note.self, in: "two").map(\.job.text) == ["two"])
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `a drain says what was due and stayed, and why`() async throws {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Note.self) { _, _ in .completed }
        let queue = fixture.queue(jobs)
        var options = EnqueueOptions()
        options.lane = Lane("host", maxRunning: 9)
        try await queue.client.enqueue((0..<3).map { _ in try NewJob(Note(), options: options) })
        try await queue.client.enqueue(Count(to: 1))
        var later = EnqueueOptions()
        later.runTime = .after(.seconds(60))
        try await queue.client.enqueue(Note(), options: later)
        let lanes = Lanes(client: queue.client, queue: "default")
        try await lanes.hold("host", for: .seconds(600), reason: "429")
        let runs = try await queue.drain()
        #expect(runs.isEmpty)
        #expect(runs.waiting.map(\.count).sorted() == [1, 3])
        let text = "\(runs)"
        #expect(text.contains("3 jobs of kind \(Note.kind) in queue default: lane host is on hold"))
        #expect(text.contains("1 job of kind \(Count.kind) in queue default: no handler"))
        try await lanes.release("host")
        let after = try await queue.drain()
        #expect(after.count == 3 && after.waiting.map(\.kind) == [Count.kind])
    }

    @Test func `a drain of a queue that never had a job says what waits in others`() async throws {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Note.self) { _, _ in .completed }
        let queue = fixture.queue(jobs)
        var options = EnqueueOptions()
        options.queue = "mail"
        try await queue.client.enqueue(Note(), options: options)
        let runs = try await queue.drain(["mial"])
        #expect(
            runs.waiting.map(\.description) == [
                "1 job of kind \(Note.kind) in queue mail: the drain was asked for queue mial, "
                    + "which never had a job"
            ])
        try await queue.drain(["mail"])
        #expect(try await queue.drain(["mail"]).waiting.isEmpty)
        #expect(try await queue.drain(["mial"]).waiting.isEmpty)
    }

    @Test func `a batch ends inside the drain`() async throws {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Note.self) { _, _ in .completed }
        jobs.handle(Count.self) { _, _ in .completed }
        let queue = fixture.queue(jobs)
        try await queue.client.start(
            NewBatch([try NewJob(Note()), try NewJob(Note())], whenEnded: try NewJob(Count())))
        #expect(try await queue.drain().map(\.kind) == [Note.kind, Note.kind, Count.kind])
    }
}
