import Tenure
import TenureTestKit
import TenureWorker
import Testing

/// What time does to jobs while nobody works, and what a handler may ask of it.
@Suite struct PassTimeTests {
    private func jobs(_ ran: @escaping @Sendable (Count) -> JobOutcome) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Count.self) { job, _ in ran(job) }
        return jobs
    }

    @Test func `what expires while nobody works is discarded and not run`() async throws {
        let fixture = try await KitFixture()
        let queue = fixture.queue(jobs { _ in .completed })
        var offer = EnqueueOptions()
        offer.notAfter = .after(.seconds(600))
        let expired = try await queue.client.enqueue(Count(to: 1), options: offer)
        try await queue.client.enqueue(Count(to: 2))
        var later = EnqueueOptions()
        later.runTime = .after(.seconds(650))
        try await queue.client.enqueue(Count(to: 3), options: later)
        try await queue.pass(.seconds(599))
        #expect(try await queue.enqueued(Count.self).count == 3)
        try await queue.pass(.seconds(61))
        let end = try await queue.client.end(of: expired.id, deadline: .seconds(1))
        #expect(end.status == .discarded)
        let runs = try await queue.drain()
        #expect(runs.map(\.became) == [.completed, .completed])
        #expect(try await queue.enqueued(Count.self).isEmpty)
    }

    @Test func `a drain ends what has expired, and goes on with what that lets go`() async throws {
        let fixture = try await KitFixture()
        let queue = fixture.queue(jobs { _ in .completed })
        var offer = EnqueueOptions()
        offer.notAfter = .after(.seconds(600))
        let expired = try await queue.client.enqueue(Count(to: 1), options: offer)
        var behind = EnqueueOptions()
        behind.after = [.ended(expired.id)]
        try await queue.client.enqueue(Count(to: 2), options: behind)
        try await fixture.pool.simple(
            "UPDATE tenure.job SET not_after = now() WHERE not_after IS NOT NULL")
        let runs = try await queue.drain()
        #expect(runs.map(\.became) == [.completed])
        #expect(runs.waiting.isEmpty)
    }

    @Test func `intervals and holds of lanes pass, and so do waits`() async throws {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Count.self) { _, _ in .completed }
        jobs.handle(Note.self) { _, context in
            let said = try await context.signal("said", within: .seconds(600))
            return said ? .completed : .discard(reason: "nobody said")
        }
        let queue = fixture.queue(jobs)
        var slow = EnqueueOptions()
        slow.lane = Lane("slow", minInterval: .seconds(600))
        for to in 1...2 { try await queue.client.enqueue(Count(to: to), options: slow) }
        try await queue.client.enqueue(Note())
        #expect(Set(try await queue.drain().map(\.became)) == [.completed, .scheduled])
        try await queue.pass(.seconds(601))
        let runs = try await queue.drain()
        #expect(Set(runs.map(\.became)) == [.completed, .discarded])
        await #expect(throws: TestKitError.self) { try await queue.pass(.seconds(-1)) }
    }

    @Test func `a pause below zero is a failed attempt that says so`() async throws {
        let fixture = try await KitFixture()
        let queue = fixture.queue(
            jobs { job in
                job.to == 1
                    ? .snooze(for: .seconds(-1)) : .retry(after: .seconds(-1), reason: "later")
            })
        for to in 1...2 { try await queue.client.enqueue(Count(to: to)) }
        let runs = try await queue.drain()
        #expect(runs.map(\.became) == [.retryable, .retryable])
        let left = try await queue.enqueued(Count.self)
        #expect(left.map(\.attempt) == [1, 1])
        for job in left {
            let errors = try await Inspector(pool: fixture.pool).job(job.id)?.errors ?? []
            #expect(errors.count == 1)
            #expect(errors[0].message.contains("give a pause of zero or more"))
        }
    }

    @Test func `a drain tells what of payloads is secret, as a worker does`() async throws {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Secret.self) { _, _ in .completed }
        let queue = fixture.queue(jobs)
        let job = try await queue.client.enqueue(Secret(card: "4111"))
        try await queue.drain()
        let shown = try await Inspector(pool: fixture.pool).job(job.id)?.shownPayload
        #expect(shown?.contains("4111") == false)
    }

    struct Secret: Job {
        static let kind: JobKind = "secret"
        static let options = JobOptions<Self>(secretFields: ["card"])
        let card: String
    }
}
