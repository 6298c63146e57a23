import Tenure
import TenureWorker
import TestSupport
import Testing

struct Count: Job {
    static let kind: JobKind = "count"
    static let options = JobOptions<Self>()
    let number: Int
}

@Suite struct WorkerTests {
    @Test func `a worker that has run leaves nothing behind`() async throws {
        let fixture = try await WorkerFixture("gone")
        weak var remembered: PostgresPool?
        do {
            let pool = PostgresPool(configuration: try PostgresConfiguration(fixture.conninfo))
            remembered = pool
            var jobs = JobRegistry()
            jobs.handle(Count.self) { _, _ in .completed }
            let worker = try Worker(pool: pool, jobs: jobs, logger: fixture.logger)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await worker.run() }
                try await fixture.client.enqueue(Count(number: 1))
                try await fixture.eventually(
                    "it ran", "SELECT count(*) = 1 FROM tenure.job_history")
                group.cancelAll()
                try await group.waitForAll()
            }
            await pool.close()
        }
        let end = ContinuousClock.now + .seconds(5)
        while remembered != nil, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(remembered == nil)
    }

    @Test func `a worker runs what is enqueued and moves it into history`() async throws {
        let fixture = try await WorkerFixture("worker")
        var jobs = JobRegistry()
        jobs.handle(Count.self) { count, context in
            .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue((0..<500).map { try NewJob(Count(number: $0)) })
            try await fixture.eventually(
                "all jobs completed",
                "SELECT count(*) = 500 FROM tenure.job_history WHERE outcome = 'completed'")
        }
        #expect(try await fixture.value("SELECT count(*) FROM tenure.job", as: Int64.self) == 0)
        #expect(
            try await fixture.value(
                "SELECT count(*) FROM tenure.session WHERE ended_at IS NULL", as: Int64.self) == 0)
    }
}
