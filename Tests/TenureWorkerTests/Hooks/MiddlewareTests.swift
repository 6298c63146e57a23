import Synchronization
import Tenure
import TenureWorker
import TestSupport
import Testing

private struct Stage: Job {
    static let kind: JobKind = "step-by-step"
    static let options = JobOptions<Self>(
        retry: .constant(maxAttempts: 2, .milliseconds(20)), timeout: .seconds(30))
    let way: String
}

private struct Number: Job {
    static let kind: JobKind = "number"
    static let options = JobOptions<Self>()
    let number: Int
}

/// Says when it begins and ends.
private struct Around: JobMiddleware {
    let name: String
    let seen: Sightings

    func run(
        _ context: JobContext, _ next: @Sendable () async throws -> JobOutcome
    ) async throws -> JobOutcome {
        seen.saw("\(name) before \(context.kind)")
        defer { seen.saw("\(name) after \(context.kind)") }
        return try await next()
    }
}

/// What a test says goes around a run.
private struct Made: JobMiddleware {
    let body:
        @Sendable (JobContext, @Sendable () async throws -> JobOutcome) async throws -> JobOutcome

    func run(
        _ context: JobContext, _ next: @Sendable () async throws -> JobOutcome
    ) async throws -> JobOutcome {
        try await body(context, next)
    }
}

private enum Tenant { @TaskLocal static var name = "nobody" }

@Suite struct MiddlewareTests {
    /// Runs one job to its end.
    private func outcome(
        _ middleware: [Made], _ handler: @escaping @Sendable (JobContext) async throws -> JobOutcome
    ) async throws -> (outcome: String, runs: Int32, error: String?) {
        let fixture = try await WorkerFixture("middleware")
        var jobs = JobRegistry()
        jobs.handle(Stage.self, through: middleware) { _, context in try await handler(context) }
        return try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Stage(way: "any"))
            try await fixture.eventually("it ended", "SELECT count(*) = 1 FROM tenure.job_history")
            return try await fixture.pool.query(
                """
                SELECT outcome::text, runs, (SELECT min(message) FROM tenure.attempt_error)
                FROM tenure.job_history
                """
            ) { row in (try row.decode(0), try row.decode(1), try row.decode(2)) }[0]
        }
    }

    @Test func `the first is outermost, a kind's own are within all kinds'`() async throws {
        let fixture = try await WorkerFixture("order")
        let seen = Sightings()
        var jobs = JobRegistry()
        jobs.use(Around(name: "first", seen: seen))
        jobs.handle(
            Stage.self,
            through: [Around(name: "own", seen: seen), Around(name: "inner", seen: seen)]
        ) { _, context in
            seen.saw("handler of \(context.kind)")
            return .completed
        }
        jobs.use(Around(name: "second", seen: seen))
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Stage(way: "any"))
            try await fixture.eventually("it ended", "SELECT count(*) = 1 FROM tenure.job_history")
        }
        let names = ["first", "second", "own", "inner"]
        #expect(
            seen.words == names.map { "\($0) before step-by-step" } + ["handler of step-by-step"]
                + names.reversed().map { "\($0) after step-by-step" })
    }

    @Test func `the handler sees the task-local values that are set around it`() async throws {
        let tenant = Made { context, next in
            try await Tenant.$name.withValue("tenant of \(context.attempt)") { try await next() }
        }
        let end = try await outcome([tenant]) { _ in
            Tenant.name == "tenant of 1" ? .completed : .discard(reason: Tenant.name)
        }
        #expect(end.outcome == "completed")
    }

    @Test func `what it returns and throws is what the run came to`() async throws {
        let runs = Mutex(0)
        let laterOnly = Made { context, next in
            context.runs == 1 ? .snooze(for: .milliseconds(10)) : try await next()
        }
        var end = try await outcome([laterOnly]) { _ in
            runs.withLock { $0 += 1 }
            return .completed
        }
        #expect(end == ("completed", 2, nil) && runs.withLock { $0 } == 1)
        end = try await outcome([Made { _, _ in throw Broken() }]) { _ in .completed }
        #expect(end == ("discarded", 2, "broken"))
        end = try await outcome([
            Made { _, next in
                do { return try await next() } catch is Broken { return .discard(reason: "broke") }
            }
        ]) { _ in throw Broken() }
        #expect(end == ("discarded", 1, nil))
    }

    @Test func `a handler runs once in a run, whatever goes around it`() async throws {
        let runs = Mutex(0)
        let twice = Made { _, next in
            _ = try await next()
            return try await next()
        }
        let end = try await outcome([twice]) { _ in
            runs.withLock { $0 += 1 }
            return .completed
        }
        // Each of two attempts has called it once.
        #expect(end.outcome == "discarded" && runs.withLock { $0 } == 2)
        #expect(try #require(end.error).contains("Made has called next twice"))
    }

    @Test func `what is committed stays, whatever is thrown around it`() async throws {
        let end = try await outcome([
            Made { _, next in
                _ = try await next()
                throw Broken()
            }
        ]) { context in try await context.commit() }
        #expect(end == ("completed", 1, nil))
    }

    @Test func `a payload that can't be read reaches none`() async throws {
        let fixture = try await WorkerFixture("unreadable")
        let seen = Sightings()
        var jobs = JobRegistry()
        jobs.use(Around(name: "all", seen: seen))
        jobs.handle(Number.self) { _, _ in .completed }
        try await fixture.withWorker(jobs) {
            _ = try await fixture.pool.query(
                """
                SELECT tenure.enqueue('number', payload => '{"number": "one"}')
                """)
            try await fixture.eventually(
                "held", "SELECT count(*) = 1 FROM tenure.job WHERE state = 'held'")
        }
        #expect(seen.words.isEmpty)
    }

    @Test func `it is cancelled as the handler is, with the reason`() async throws {
        let fixture = try await WorkerFixture("cancelled")
        let seen = Sightings()
        var jobs = JobRegistry()
        jobs.use(
            Made { context, next in
                do { return try await next() } catch {
                    if case .superseded = context.endReason { seen.saw("superseded") }
                    throw error
                }
            })
        jobs.handle(Number.self) { job, _ in
            if job.number == 1 {
                seen.saw("started")
                try await Task.sleep(for: .seconds(60))
            }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Number(number: 1), .superseding("key"))
            while seen.first("started") == nil { try await Task.sleep(for: .milliseconds(5)) }
            try await fixture.client.enqueue(Number(number: 2), .superseding("key"))
            try await fixture.eventually("ended", "SELECT count(*) = 2 FROM tenure.job_history")
        }
        #expect(seen.words == ["started", "superseded"])
        #expect(try await fixture.count("tenure.attempt_error") == 0)
    }
}
