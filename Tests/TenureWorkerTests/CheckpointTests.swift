import Synchronization
import Tenure
import TenureWorker
import Testing

/// Writes of a run that goes on: there while it has its right, and not a row of them afterwards.
@Suite struct CheckpointTests {
    private func fixture() async throws -> WorkerFixture {
        let fixture = try await WorkerFixture("checkpoint")
        try await fixture.pool.simple("CREATE TABLE effect (fence bigint, step int)")
        return fixture
    }

    @Test func `a later run goes on where a checkpoint was`() async throws {
        let fixture = try await fixture()
        var jobs = JobRegistry()
        jobs.handle(Copying.self) { job, context in
            let pool = context.client.pool
            let done = try await pool.query("SELECT count(*) FROM effect") {
                try $0.decode(0, as: Int64.self)
            }[0]
            for step in Int(done)..<job.files {
                try await context.checkpoint { transaction in
                    try await transaction.query(
                        "INSERT INTO effect VALUES ($1, $2)", [context.fence.rawValue, Int64(step)])
                }
                if step == 2, context.runs == 1 { throw Broken() }
            }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Copying(files: 5))
            try await fixture.eventually("it ended", "SELECT count(*) = 1 FROM tenure.job_history")
        }
        let steps = try await fixture.value(
            "SELECT string_agg(step::text, ',' ORDER BY fence, step) FROM effect", as: String.self)
        #expect(steps == "0,1,2,3,4")
        #expect(try await fixture.value("SELECT count(DISTINCT fence) FROM effect") == Int64(2))
    }

    private final class Seen: Sendable {
        let isBegun = Mutex(false)
        let told = Mutex<[LateResult.Became]>([])
    }

    enum Loss: CaseIterable { case superseded, cancelled, reclaimed }

    /// The right is lost while the handler has writes under way that nobody stops.
    @Test(arguments: Loss.allCases) func `a late run's checkpoint is refused, with all its writes`(
        loss: Loss
    ) async throws {
        let fixture = try await fixture()
        let seen = Seen()
        var jobs = JobRegistry()
        jobs.handle(Copying.self) { job, context in
            guard job.files == 1, context.runs == 1 else { return .completed }
            do {
                // Apart from the task that the loss cancels.
                try await Task {
                    try await context.checkpoint { transaction in
                        try await transaction.query("INSERT INTO effect VALUES (1, 1)")
                        seen.isBegun.withLock { $0 = true }
                        try await fixture.eventually("it is lost", Self.isGone(loss))
                        try await transaction.query("INSERT INTO effect VALUES (1, 2)")
                    }
                }.value
            } catch let late as LateResult {
                seen.told.withLock { $0.append(late.became) }
                throw late
            }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            let job = try await fixture.client.enqueue(Copying(files: 1), .superseding("a")).id
            try await fixture.eventually(
                "it runs", "SELECT count(*) = 1 FROM tenure.job WHERE state = 'running'")
            try await until { seen.isBegun.withLock { $0 } }
            try await lose(job, loss, fixture)
            try await until { !seen.told.withLock { $0.isEmpty } }
        }
        #expect(try await fixture.count("effect") == 0)
        let expected: LateResult.Became =
            switch loss {
            case .superseded: .superseded
            case .cancelled: .cancelled
            case .reclaimed: .lost
            }
        // The checkpoint's own statement says only that it is late.
        #expect(seen.told.withLock { $0 }.allSatisfy { $0 == expected || $0 == .lost })
    }

    private func until(_ condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while !condition() {
            guard ContinuousClock.now < end else { throw NeverHappened(what: "the loss") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func lose(_ job: JobID, _ loss: Loss, _ fixture: WorkerFixture) async throws {
        switch loss {
        case .superseded:
            try await fixture.client.enqueue(Copying(files: 2), .superseding("a"))
        case .cancelled:
            _ = try await Operator(client: fixture.client, as: "ada").cancel(job)
        case .reclaimed:
            // As after a death that the worker doesn't know of.
            try await fixture.pool.query(
                "UPDATE tenure.job SET fence = nextval('tenure.fence') WHERE id = '\(job)'")
        }
    }

    private static func isGone(_ loss: Loss) -> String {
        switch loss {
        case .superseded:
            """
            SELECT bool_or(s.floor > j.generation) FROM tenure.job j
            JOIN tenure.subject s USING (kind, key) WHERE j.state = 'running'
            """
        case .cancelled: "SELECT count(*) = 1 FROM tenure.job WHERE ending_at IS NOT NULL"
        case .reclaimed: "SELECT count(*) = 1 FROM tenure.job WHERE runs = 1 AND fence > 1"
        }
    }
}
