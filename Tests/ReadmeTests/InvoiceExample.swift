import Tenure
import TenureTestKit
import TenureWorker
import Testing

struct Remind: Job, Equatable {
    static let kind: JobKind = "remind"
    static let options = JobOptions<Self>(timeout: .seconds(30))
    let invoice: Int
}

/// The jobs of the program under test.
func reminders(_ isPaid: @escaping @Sendable (Int) async throws -> Bool) -> JobRegistry {
    var jobs = JobRegistry()
    jobs.handle(Remind.self) { job, context in
        if try await isPaid(job.invoice) { return .discard(reason: "it was paid") }
        context.progress(done: 1, note: "reminded")
        return try await context.commit { transaction in  // and again in a week
            var options = EnqueueOptions()
            options.runTime = .after(.seconds(7 * 86_400))
            try context.client.enqueue(job, options: options, in: transaction)
        }
    }
    return jobs
}

/// No database: one run, as the test wants it.
func stopsWhenItTakesTooLong() async throws {
    let clock = TestClock()
    let run = try TestRun(Remind(invoice: 7), attempt: 3, clock: clock)
    async let report = run.run(
        with: reminders { _ in
            try await Task.sleep(for: .seconds(3600))
            return true
        })
    await clock.untilSomebodySleeps()  // on the job's timeout
    clock.advance(by: .seconds(30))
    let end = try await report
    #expect(end.endReason == .timedOut)
    #expect(end.became == .retryable)
}

/// A database of the test's own: everything that is due, in this process.
func remindsOnceAWeek(_ pool: PostgresPool) async throws {
    let queue = TestQueue(pool: pool, jobs: reminders { _ in false })
    try await queue.client.enqueue(Remind(invoice: 7))

    let runs = try await queue.drain()
    #expect(runs.map(\.became) == [.completed])
    #expect(runs[0].progress.map(\.note) == ["reminded"])

    let next = try await queue.enqueued(Remind.self)
    #expect(next.map(\.job) == [Remind(invoice: 7)])
    #expect(try await queue.drain(ahead: .seconds(8 * 86_400)).count == 1)
}
