import Tenure
import TenureWorker
import TestSupport
import Testing

struct Count: Job {
    static let kind: JobKind = "count"
    let number: Int
}

@Suite struct WorkerTests {
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
