import Synchronization
import Tenure
import TenureWorker
import TestSupport
import Testing

/// Runs that another program ends by SQL: what the handler is told of them.
@Suite struct FinishedElsewhereTests {
    /// - Returns: what `finishedElsewhere` said after `sql` (with JOB and FENCE in it).
    private func told(
        _ fixture: WorkerFixture, after sql: String
    ) async throws -> String {
        let told = Mutex<String?>(nil)
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { _, context in
            _ = try await fixture.pool.query(
                sql.replacing("JOB", with: "'\(context.jobID)'")
                    .replacing("FENCE", with: "\(context.fence)"))
            do {
                // Beside the run's cancellation, which a lost run has coming.
                let outcome = try await Task { try await context.finishedElsewhere() }.value
                told.withLock { $0 = "\(outcome.expected)" }
                return outcome
            } catch {
                told.withLock { $0 = "\(error)" }
                throw error
            }
        }
        return try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Edit(text: "x"))
            for _ in 0..<3000 {
                if let said = told.withLock({ $0 }) { return said }
                try await Task.sleep(for: .milliseconds(20))
            }
            throw NeverHappened(what: "the handler is told")
        }
    }

    @Test(arguments: [
        ("completed", "completed"), ("discarded", "discarded"), ("snoozed", "scheduled"),
        ("failed", "retryable"), ("handed_back", "scheduled"),
    ])
    func `what the other program has made of the job is passed on`(
        _ wanted: String, _ became: String
    ) async throws {
        let fixture = try await WorkerFixture("elsewhere")
        let delay = wanted == "completed" ? "" : ", delay => '1 h'"
        let said = try await told(
            fixture, after: "SELECT tenure.finish(JOB, FENCE, '\(wanted)'\(delay))")
        #expect(said == became)
        #expect(try await fixture.count("tenure.attempt_error") == 0)
    }

    /// - Parameter isNoted: whether the database has heard that the handler began.
    @Test(arguments: [true, false])
    func `a run that was reclaimed, and whose job has expired, is late`(
        _ isNoted: Bool
    ) async throws {
        let fixture = try await WorkerFixture("elsewhere-reclaimed")
        let said = try await told(
            fixture,
            after: """
                DO $$
                BEGIN
                    WHILE NOT (SELECT tenure.has_begun(r.session_id, r.queue, r.fence)
                               FROM tenure.run_seen r WHERE r.id = JOB) LOOP
                        PERFORM pg_sleep(0.01);
                    END LOOP;
                    DELETE FROM tenure.session_begun WHERE NOT \(isNoted);
                    UPDATE tenure.job SET not_after = clock_timestamp() WHERE id = JOB;
                    UPDATE tenure.session SET ended_at = clock_timestamp(), died = true
                    WHERE ended_at IS NULL;
                    PERFORM tenure.reclaim_runs(10);
                END $$
                """)
        #expect(said.hasPrefix("late result"))
        #expect(try await fixture.count("tenure.job_history WHERE outcome = 'discarded'") == 1)
    }

    @Test func `a cancelled run is late, and says of what`() async throws {
        let fixture = try await WorkerFixture("elsewhere-cancelled")
        let said = try await told(
            fixture,
            after: """
                SELECT tenure.end_runs(ARRAY[
                    (JOB, FENCE, 'cancelled', NULL, NULL, 'by ada', NULL, NULL, NULL,
                     NULL)::tenure.ending], true)
                """)
        #expect(said.contains("it was cancelled"))
    }
}
