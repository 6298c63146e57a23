import Tenure
import TenureTestKit
import TenureWorker
import TestSupport
import Testing

/// One run with a context that the test decides.
@Suite struct TestRunTests {
    /// Counts, says so, and then waits until it is stopped.
    private func counting(thenWaits: Bool = true) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Count.self) { job, context in
            for number in 1...job.to {
                context.progress(done: Int64(number), total: Int64(job.to))
            }
            if thenWaits { try await Task.sleep(for: .seconds(600)) }
            return try .completed(result: job.to)
        }
        return jobs
    }

    @Test func `a run without a database tells its end, its result and its progress`() async throws
    {
        let report = try await TestRun(Count(to: 2)).run(with: counting(thenWaits: false))
        #expect(report.became == .completed)
        #expect(try report.decoded(as: Int.self) == 2)
        #expect(report.progress.map(\.done) == [1, 2])
        #expect(report.attempt == 1)
    }

    @Test(arguments: [(attempt: 2, became: JobStatus.retryable), (3, .discarded)])
    func `a failure is tried again until the attempts are spent`(
        attempt: Int, became: JobStatus
    ) async throws {
        var jobs = JobRegistry()
        jobs.handle(Count.self) { _, context in
            #expect(context.attempt == attempt)
            #expect(context.maxAttempts == 3)
            throw Refused()
        }
        let report = try await TestRun(Count(), attempt: attempt).run(with: jobs)
        #expect(report.became == became)
        #expect(report.error as? Refused == Refused())
        #expect((report.pause != nil) == (became == .retryable))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a run is stopped in the middle, with the reason that was given`() async throws {
        let run = try TestRun(Count(), .superseding("a"))
        async let report = run.run(with: counting())
        for await progress in run.reports where progress.done == 3 {
            try await run.supersede()
            run.shutDown()  // too late: the first reason stands
        }
        let end = try await report
        #expect(end.became == .superseded)
        guard case .superseded = end.endReason else {
            Issue.record("ended by \(String(describing: end.endReason))")
            return
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a timeout comes when the clock is put forward, and not before`() async throws {
        let clock = TestClock()
        let run = try TestRun(Count(), clock: clock)
        async let report = run.run(with: counting())
        await clock.untilSomebodySleeps()
        clock.advance(by: .seconds(29))
        try await Task.sleep(for: .milliseconds(50))
        clock.advance(by: .seconds(1))
        let end = try await report
        #expect(end.endReason == .timedOut)
        #expect(end.became == .retryable)
    }

    @Test func `a run that was stopped before never starts its handler`() async throws {
        var jobs = JobRegistry()
        jobs.handle(Count.self) { _, _ in
            Issue.record("it started")
            return .completed
        }
        let run = try TestRun(Count())
        run.loseLease()
        #expect(try await run.run(with: jobs).became == .available)
    }

    @Test func `a commit without a database fails, and says why`() async throws {
        var jobs = JobRegistry()
        jobs.handle(Count.self) { _, context in try await context.commit() }
        let report = try await TestRun(Count()).run(with: jobs)
        #expect(report.became == .retryable)
        #expect("\(report.error.map { "\($0)" } ?? "")".contains("TestRun(job, on: pool)"))
    }

    @Test(.timeLimit(.minutes(1)))
    func `without a database whatever asks for one fails at once, and says why`() async throws {
        let begin = ContinuousClock.now
        let asks: [@Sendable (JobContext) async throws -> Void] = [
            { _ = try await $0.client.enqueue(Note(text: "more")) },
            { _ = try await $0.checkpoint { _ in } },
            { _ = try await $0.client.end(of: JobID(), deadline: .seconds(60)) },
        ]
        for ask in asks {
            var jobs = JobRegistry()
            jobs.handle(Count.self) { _, context in
                try await ask(context)
                return .completed
            }
            let error = try await TestRun(Count()).run(with: jobs).error as? PostgresError
            #expect(error?.code == .misuse)
        }
        #expect(ContinuousClock.now - begin < .seconds(2) * patience)
    }

    @Test func `with a database the handler commits its writes and its follow-ups`() async throws {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Count.self) { job, context in
            #expect(context.attempt == 2)
            return try await context.commit { transaction in
                try context.client.enqueue(Note(text: "counted \(job.to)"), in: transaction)
            }
        }
        let run = try TestRun(Count(to: 5), attempt: 2, on: fixture.pool, logger: fixture.logger)
        let report = try await run.run(with: jobs)
        #expect(report.became == .completed)
        #expect(try await fixture.client.end(of: run.id, deadline: .zero).status == .completed)
        let notes = try await fixture.queue(jobs).enqueued(Note.self)
        #expect(notes.map(\.job) == [Note(text: "counted 5")])
    }

    @Test(.timeLimit(.minutes(1)))
    func `with a database what was cancelled can't commit`() async throws {
        let fixture = try await KitFixture()
        var jobs = JobRegistry()
        jobs.handle(Count.self) { _, context in
            context.progress(done: 1)
            do { try await Task.sleep(for: .seconds(600)) } catch {}
            // Goes on where no cancellation reaches it, as a handler shouldn't.
            return try await Task {
                try await context.commit { transaction in
                    try context.client.enqueue(Note(text: "never"), in: transaction)
                }
            }.value
        }
        let run = try TestRun(Count(), on: fixture.pool, logger: fixture.logger)
        async let report = run.run(with: jobs)
        for await _ in run.reports { try await run.cancel(by: "ada") }
        let end = try await report
        #expect(end.became == .cancelled)
        #expect(try await fixture.queue(jobs).enqueued(Note.self).isEmpty)
    }

    @Test func `an attempt that no job can have is refused`() {
        for (attempt, most, field) in [(0, 3, "attempt"), (1, 0, "maxAttempts")] {
            let error = #expect(throws: TenureError.self) {
                try TestRun(Count(), attempt: attempt, maxAttempts: most)
            }
            #expect(error?.message == "\(field) is 0; give 1 to 10000")
        }
    }
}
