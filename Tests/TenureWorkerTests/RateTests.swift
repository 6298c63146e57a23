import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

@Suite struct RateTests {
    /// The starts of all that has run, by the database's clock, the oldest first.
    private func starts(_ fixture: WorkerFixture) async throws -> [Double] {
        try await fixture.pool.query(
            """
            SELECT extract(epoch FROM claimed_at)::float8 FROM tenure.job_history
            WHERE outcome = 'completed' ORDER BY claimed_at
            """
        ) { row in try row.decode(0, as: Double.self) }
    }

    @Test func `workers together start no more than a rate and its burst, and no less`()
        async throws
    {
        let fixture = try await WorkerFixture("rate")
        let (rate, burst, jobs) = (100, 20, 320)
        var registry = JobRegistry()
        registry.handle(Edit.self) { _, _ in .completed }
        let lane = Lane("api", maxRunning: 50, rate: Rate(rate, per: .seconds(1), burst: burst))
        try await fixture.client.enqueue(
            (0..<jobs).map {
                try NewJob(Edit(text: "\($0)"), options: EnqueueOptions(lane: lane))
            })
        let handlers = registry
        try await fixture.withWorker(handlers, slots: 8) {
            try await fixture.withWorker(handlers, slots: 8) {
                try await fixture.eventually("all are done", "SELECT count(*) = 0 FROM tenure.job")
            }
        }
        let starts = try await starts(fixture)
        #expect(starts.count == jobs)
        for first in starts.indices {
            for last in first..<starts.count where last - first >= burst {
                let most = Double(burst) + (starts[last] - starts[first]) * Double(rate)
                #expect(Double(last - first + 1) <= most + 0.001, "\(first) to \(last)")
            }
        }
        let least = Double(jobs - burst) / Double(rate)
        let took = try #require(starts.last) - starts[0]
        print("\(jobs) at \(rate) a second, \(burst) at once: \(took) s, at least \(least) s")
        // The figure is for a quiet machine; here, that no start is waited for that nobody makes.
        #expect(took < least * 10 * Double(patience), "\(took)")
    }

    @Test func `a rate is refused where there is none`() async throws {
        for (rate, text) in [
            (Rate(0, per: .seconds(1)), "lane.rate is 0 per 1.0 seconds; give 1 or more"),
            (Rate(-1, per: .seconds(1)), "lane.rate is -1"),
            (Rate(1, per: .zero), "lane.rate is 1"),
            (Rate(1, per: .seconds(366 * 86_400)), "365 days at most"),
            (Rate(1, per: .seconds(1), burst: 0), "burst is 0; give 1 to 10000"),
            (Rate(1, per: .seconds(1), burst: 10_001), "burst is 10001"),
        ] {
            let error = #expect(throws: TenureError.self) {
                try NewJob(
                    Edit(text: ""),
                    options: EnqueueOptions(lane: Lane("a", maxRunning: 1, rate: rate)))
            }
            #expect(error?.message.contains(text) == true, "\(rate): \(error?.message ?? "")")
        }
        #expect(Rate(3, per: .seconds(1)).interval == .microseconds(333_334))
        #expect(Rate(100, per: .seconds(1)).interval == .milliseconds(10))
    }
}
