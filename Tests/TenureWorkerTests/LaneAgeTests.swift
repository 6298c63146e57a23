import Tenure
import TenureCoordinator
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// What is less urgent in a lane is passed by for a while, and not for good.
@Suite struct LaneAgeTests {
    @Test func `a coordinator puts what has waited long to the front of its lane`() async throws {
        let fixture = try await WorkerFixture("ageing")
        func add(_ text: String, _ priority: JobPriority, due: Duration) async throws -> JobID {
            var options = EnqueueOptions()
            options.lane = Lane("one", maxRunning: 1)
            options.priority = priority
            options.runTime = .at(Date.now.addingTimeInterval(-Double(due.components.seconds)))
            return try await fixture.client.enqueue(Edit(text: text), options: options).id
        }
        let old = try await add("old", .idle, due: .seconds(60))
        let young = try await add("young", .idle, due: .zero)
        _ = try await add("urgent", .urgent, due: .zero)
        var configuration = CoordinatorConfiguration()
        configuration.lanePatience = .seconds(30)
        let coordinator = try Coordinator(
            pool: fixture.pool, configuration: configuration, logger: fixture.logger)
        let raised = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await coordinator.run() }
            var raised: [JobID] = []
            for _ in 0..<(500 * patience) where raised.isEmpty {
                try await Task.sleep(for: .milliseconds(20))
                let sql = """
                    SELECT id FROM tenure.job
                    WHERE priority = 0 AND run_at < now() - interval '20 s'
                    """
                raised = try await fixture.pool.query(sql) { JobID(try $0.decode(0)) }
            }
            group.cancelAll()
            try await group.waitForAll()
            return raised
        }
        #expect(raised == [old])
        let left = try await Inspector(pool: fixture.pool).job(young)
        #expect(left?.summary.priority == 9)
    }
}
