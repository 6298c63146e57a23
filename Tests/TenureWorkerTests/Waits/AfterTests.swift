import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// Jobs that wait for other jobs, with workers.
@Suite struct AfterTests {
    typealias Calls = StepTests.Calls

    private struct Part: Job {
        static let kind: JobKind = "part"
        static let options = JobOptions<Self>(retry: .constant(maxAttempts: 1, .milliseconds(1)))
        var name: String
    }

    private struct Whole: Job {
        static let kind: JobKind = "whole"
        static let options = JobOptions<Self>()
        var name: String
    }

    private func handlers(_ calls: Calls, failing: String? = nil) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Part.self) { part, _ in
            calls.add(part.name)
            return part.name == failing ? .discard(reason: "no use") : .completed
        }
        jobs.handle(Whole.self) { whole, _ in
            calls.add(whole.name)
            return .completed
        }
        return jobs
    }

    private func ended(_ fixture: WorkerFixture, _ number: Int) async throws {
        try await fixture.eventually(
            "all ended", "SELECT count(*) = \(number) FROM tenure.job_history")
    }

    @Test func `a job runs when all that it waits for are completed`() async throws {
        let fixture = try await WorkerFixture("after")
        let calls = Calls()
        let parts = try (0..<20).map { try NewJob(Part(name: "part \($0)")) }
        let whole = try NewJob(
            Whole(name: "whole"), options: EnqueueOptions(after: parts.map { .completed($0.id) }))
        // In any order: the waiter comes first.
        try await fixture.client.enqueue([whole] + parts)
        let inspector = Inspector(pool: fixture.pool)
        let detail = try #require(try await inspector.job(whole.id))
        #expect(detail.after.count == 20 && detail.after.open == 20)
        #expect(detail.summary.status == .waiting)
        let delay = try #require(try await inspector.delays(of: detail).first)
        #expect(delay.detail.hasPrefix("waits for 20 jobs to end: "), "\(delay.detail)")
        let part = try #require(try await inspector.job(parts[0].id))
        #expect(part.waiters.jobs.map(\.job) == [whole.id])
        let start = ContinuousClock.now
        try await fixture.withWorker(handlers(calls)) { try await ended(fixture, 21) }
        // Told, and not found by a sweep.
        #expect(ContinuousClock.now - start < .seconds(4))
        #expect(calls.all.count == 21 && calls.all.last == "whole")
        let past = try #require(try await inspector.job(whole.id))
        #expect(past.after.open == 0 && past.after.jobs.allSatisfy { $0.status == .completed })
    }

    @Test func `a row of jobs runs in its order`() async throws {
        let fixture = try await WorkerFixture("after")
        let calls = Calls()
        var row: [NewJob] = []
        for number in 0..<40 {
            row.append(
                try NewJob(
                    Part(name: "\(number)"),
                    options: EnqueueOptions(after: row.suffix(1).map { .completed($0.id) })))
        }
        try await fixture.client.enqueue(row)
        try await fixture.withWorker(handlers(calls)) { try await ended(fixture, 40) }
        #expect(calls.all == (0..<40).map(String.init))
    }

    @Test func `who waits for a discarded job is cancelled, and so on; another goes on`()
        async throws
    {
        let fixture = try await WorkerFixture("after")
        let calls = Calls()
        let first = try NewJob(Part(name: "first"))
        let second = try NewJob(
            Whole(name: "second"), options: EnqueueOptions(after: [.completed(first.id)]))
        let third = try NewJob(
            Whole(name: "third"), options: EnqueueOptions(after: [.completed(second.id)]))
        let cleaner = try NewJob(
            Whole(name: "cleaner"),
            options: EnqueueOptions(after: [.ended(third.id), .ended(first.id)]))
        try await fixture.client.enqueue([first, second, third, cleaner])
        let client = fixture.client
        async let end = client.end(of: third.id, deadline: .seconds(60))
        try await fixture.withWorker(handlers(calls, failing: "first")) {
            try await ended(fixture, 4)
        }
        #expect(calls.all == ["first", "cleaner"])
        let reason =
            "after: job \(first.id) was discarded, by way of \(second.id): no use"
        #expect(try await end.reason == reason)
    }

    @Test func `a transaction's jobs may wait for each other, and follow-ups for others`()
        async throws
    {
        let fixture = try await WorkerFixture("after")
        let calls = Calls()
        let client = fixture.client
        var jobs = handlers(calls)
        jobs.handle(Ordering.self) { _, context in
            try await context.commit { transaction in
                let part = try client.enqueue(Part(name: "part"), in: transaction)
                try client.enqueue(
                    Whole(name: "whole"),
                    options: EnqueueOptions(after: [.completed(part.id), .ended(context.jobID)]),
                    in: transaction)
            }
        }
        try await fixture.pool.transaction { transaction in
            let order = try client.enqueue(Ordering(), in: transaction)
            try client.enqueue(
                Whole(name: "last"), options: EnqueueOptions(after: [.completed(order.id)]),
                in: transaction)
        }
        try await fixture.withWorker(jobs) { try await ended(fixture, 4) }
        #expect(calls.all.count == 3)
        let whole = try #require(calls.all.firstIndex(of: "whole"))
        let part = try #require(calls.all.firstIndex(of: "part"))
        #expect(part < whole)
    }

    @Test func `a job gets the results of those that it waited for`() async throws {
        let fixture = try await WorkerFixture("after")
        let found = Mutex<[JobID: Int]>([:])
        let ends = Mutex<[PredecessorEnd]>([])
        let refusal = Mutex<String>("")
        var jobs = JobRegistry()
        jobs.handle(Part.self) { part, _ in
            if part.name == "bad" { return .discard(reason: "no use") }
            return try .completed(result: part.name.count)
        }
        jobs.handle(Whole.self) { _, context in
            let results: [JobID: Int] = try await context.results()
            found.withLock { $0 = results }
            let all = try await context.predecessors()
            ends.withLock { $0 = all }
            do {
                _ = try await context.results(of: all.map(\.job), as: Int.self)
            } catch let error as TenureError {
                refusal.withLock { $0 = error.description }
            }
            return .completed
        }
        let parts = try ["a", "bb", "bad"].map { try NewJob(Part(name: $0)) }
        try await fixture.client.enqueue(
            parts + [
                try NewJob(
                    Whole(name: "whole"),
                    options: EnqueueOptions(after: parts.map { .ended($0.id) }))
            ])
        try await fixture.withWorker(jobs) { try await ended(fixture, 4) }
        #expect(found.withLock { $0 } == [parts[0].id: 1, parts[1].id: 2])
        #expect(ends.withLock { $0.map(\.status) } == [.completed, .completed, .discarded])
        #expect(ends.withLock { $0.last?.reason } == "no use")
        #expect(refusal.withLock { $0 }.contains("has no result of job \(parts[2].id)"))
    }

    @Test func `what ended elsewhere, or with a worker that died, is found by any worker`()
        async throws
    {
        let fixture = try await WorkerFixture("after")
        let calls = Calls()
        let first = try await fixture.client.enqueue(Part(name: "first"), .superseding("a")).id
        try await fixture.client.enqueue(
            Whole(name: "second"), options: EnqueueOptions(after: [.ended(first)]))
        // Nobody settles what a cancel has ended.
        #expect(try await Operator(client: fixture.client, as: "me").cancel(first) == .cancelled)
        #expect(try await fixture.count("tenure.job_end WHERE NOT is_settled") == 1)
        try await fixture.withWorker(handlers(calls)) { try await ended(fixture, 2) }
        #expect(calls.all == ["second"])
    }

    @Test func `a circle, a mode that replaces jobs and an unknown job are refused`() async throws {
        let fixture = try await WorkerFixture("after")
        #expect(throws: TenureError.self) {
            try NewJob(
                Whole(name: "a"), .coalescing("k"),
                options: EnqueueOptions(after: [.completed(JobID())]))
        }
        let a = JobID()
        let b = JobID()
        let circle = [
            try NewJob(
                Whole(name: "a"), options: EnqueueOptions(after: [.completed(b)]), id: a),
            try NewJob(
                Whole(name: "b"), options: EnqueueOptions(after: [.ended(a)]), id: b),
        ]
        await #expect {
            try await fixture.client.enqueue(circle)
        } throws: { error in
            let text = "\(error)"
            return text.contains("in a circle") && text.contains("\(a)") && text.contains("\(b)")
        }
        await #expect {
            try await fixture.client.enqueue(
                Whole(name: "a"), options: EnqueueOptions(after: [.completed(JobID())]))
        } throws: { "\($0)".contains("neither unfinished nor in history") }
        #expect(try await fixture.count("tenure.job") == 0)
    }

    /// Figures are in docs/decisions/after.md.
    @Test func `ten thousand in, ten thousand out, and a thousand in a row`() async throws {
        let fixture = try await WorkerFixture("after")
        let calls = Calls()
        let parts = try (0..<10_000).map { _ in try NewJob(Part(name: "part")) }
        let middle = try NewJob(
            Whole(name: "middle"), options: EnqueueOptions(after: parts.map { .completed($0.id) }))
        let out = try (0..<10_000).map { _ in
            try NewJob(Part(name: "out"), options: EnqueueOptions(after: [.completed(middle.id)]))
        }
        var row: [NewJob] = []
        for number in 0..<1000 {
            let after = row.last.map { [Predecessor.completed($0.id)] } ?? []
            row.append(
                try NewJob(Whole(name: "row \(number)"), options: EnqueueOptions(after: after)))
        }
        let clock = ContinuousClock()
        let enqueuing = try await clock.measure {
            try await fixture.client.enqueue(parts + [middle] + out + row)
        }
        let running = try await clock.measure {
            try await fixture.withWorker(handlers(calls), slots: 50) {
                try await fixture.eventually(
                    "all ended", within: .seconds(240),
                    "SELECT NOT EXISTS (SELECT FROM tenure.job)")
            }
        }
        print("21,001 jobs enqueued in \(enqueuing), run in \(running)")
        let all = calls.all
        let place = try #require(all.firstIndex(of: "middle"))
        #expect(all[..<place].count { $0 == "part" } == 10_000)
        #expect(all[place...].count { $0 == "out" } == 10_000)
        #expect(all.filter { $0.hasPrefix("row") } == (0..<1000).map { "row \($0)" })
        #expect(try await fixture.count("tenure.job_history WHERE outcome = 'completed'") == 21_001)
    }
}
