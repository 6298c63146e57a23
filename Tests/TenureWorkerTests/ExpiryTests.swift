import Logging
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

@testable import TenureCoordinator

@Suite struct ExpiryTests {
    private static func expiring(_ expiry: Expiry) -> EnqueueOptions {
        var options = EnqueueOptions()
        options.notAfter = expiry
        return options
    }

    private func withCoordinator<Result: Sendable>(
        _ fixture: WorkerFixture, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var configuration = CoordinatorConfiguration()
        configuration.tick = .milliseconds(50)
        let coordinator = try Coordinator(
            pool: fixture.pool, configuration: configuration, logger: fixture.logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await coordinator.run() }
            let result = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }

    @Test func `a job that nobody claims expires, and who waits for it is told why`() async throws {
        let fixture = try await WorkerFixture("expiry")
        let client = fixture.client
        try await withCoordinator(fixture) {
            let options = Self.expiring(.after(.milliseconds(100)))
            let alone = try await client.enqueue(Edit(text: "a"), options: options)
            let keyed = try await client.enqueue(
                Edit(text: "b"), .superseding("k"), options: options)
            let bulk = try await client.enqueue([
                try NewJob(Edit(text: "c"), options: Self.expiring(.at(Date.now + 0.1))),
                try NewJob(Edit(text: "d"), .coalescing("l"), options: options),
            ])
            let gathered = try await fixture.pool.transaction { transaction in
                try client.enqueue(Edit(text: "e"), options: options, in: transaction)
            }
            for job in [alone.id, keyed.id, gathered.id] + bulk.map(\.id) {
                let end = try await client.end(of: job)
                #expect(end.status == .discarded && end.isExpired)
                let error = await #expect(throws: TenureError.self) {
                    try await client.result(of: job, as: Int?.self)
                }
                #expect(error?.code == .expired)
                #expect(error?.message.contains("no run was to start after") == true)
            }
        }
    }

    @Test func `a failed job is not tried again too late`() async throws {
        let fixture = try await WorkerFixture("expiry-retry")
        var jobs = JobRegistry()
        jobs.handle(Slow.self) { _, _ in throw Broken() }
        try await fixture.withWorker(jobs) {
            let job = try await fixture.client.enqueue(
                Slow(), options: Self.expiring(.after(.seconds(30))))
            let end = try await fixture.client.end(of: job.id)
            #expect(end.isExpired)
            #expect(end.lastError == "broken")
        }
    }

    @Test func `an expiry that leaves no time to begin is refused by name`() throws {
        for (runTime, expiry) in [
            (RunTime.now, Expiry.after(.zero)),
            (.after(.seconds(10)), .after(.seconds(10))),
            (.at(Date.now + 10), .at(Date.now + 9)),
        ] {
            var options = Self.expiring(expiry)
            options.runTime = runTime
            let error = #expect(throws: TenureError.self) {
                try NewJob(Edit(text: "x"), options: options)
            }
            #expect(error?.code == .invalidJob)
            #expect(error?.message.hasPrefix("notAfter is ") == true)
        }
        let options = Self.expiring(.after(.seconds(10)))
        let quiet = Duration.seconds(30)
        #expect(throws: TenureError.self) {
            try NewJob(Edit(text: "x"), .debounced("k", interval: quiet), options: options)
        }
        _ = try NewJob(
            Edit(text: "x"), .debounced("k", interval: quiet, maxWait: .seconds(5)),
            options: options)
    }

    @Test func `a schedule that can't be fired keeps no job from its end`() async throws {
        let fixture = try await WorkerFixture("expiry-schedule")
        _ = try await fixture.pool.query(
            """
            INSERT INTO tenure.schedule (name, every, job)
            VALUES ('broken', '1 s', '{"kind": "x", "priority": 99}')
            """)
        try await withCoordinator(fixture) {
            let job = try await fixture.client.enqueue(
                Edit(text: "a"), options: Self.expiring(.after(.milliseconds(100))))
            try await fixture.eventually(
                "the job ends",
                "SELECT count(*) = 1 FROM tenure.job_history WHERE id = '\(job.id)'")
        }
    }

    @Test func `a worker that sweeps says what expired`() async throws {
        let fixture = try await WorkerFixture("expiry-sweep")
        let recorder = Recorder()
        var jobs = JobRegistry()
        jobs.handle(Slow.self) { _, _ in .completed }
        let job = try await fixture.client.enqueue(
            Edit(text: "a"), options: Self.expiring(.after(.milliseconds(100))))
        try await fixture.recorded(by: recorder).withWorker(jobs) {
            $0.sweepInterval = .milliseconds(50)
        } _: {
            try await fixture.eventually(
                "the job ends", "SELECT count(*) = 1 FROM tenure.job_history")
        }
        let said = recorder.all.filter { $0.message.hasPrefix("job expired") }
        #expect(said.map { $0.metadata["job.id"] } == ["\(job.id)"])
    }

    @Test func `a commit that puts a job off for too long has discarded it, and says so`()
        async throws
    {
        let fixture = try await WorkerFixture("expiry-snooze")
        let recorder = Recorder()
        var jobs = JobRegistry()
        jobs.handle(Slow.self) { _, context in
            try await context.commit(.snooze(for: .seconds(3600)))
        }
        try await fixture.recorded(by: recorder).withWorker(jobs) {
            let job = try await fixture.client.enqueue(
                Slow(), options: Self.expiring(.after(.seconds(30))))
            #expect(try await fixture.client.end(of: job.id).isExpired)
        }
        let said = recorder.all.filter { $0.message == "job ended" }
        #expect(said.map { $0.metadata["job.outcome"] } == ["discarded"])
    }
}

private struct Slow: Job {
    static let kind: JobKind = "slow-retry"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 3, .seconds(60)))
}
