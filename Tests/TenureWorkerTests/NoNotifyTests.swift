import Tenure
import TenureFoundation
import TenureWorker
import Testing

@testable import TenureCoordinator

/// A job for all purposes here.
private struct Errand: Job {
    static let kind: JobKind = "errand"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 3, .milliseconds(20)))
    var waits = false
}

/// Everything works with polling alone: PostgreSQL refuses notifications as a full queue does, and
/// no work fails with them.
@Suite struct NoNotifyTests {
    /// Whatever calls it fails, and the transaction that it is called in.
    private func breakNotify(_ fixture: WorkerFixture) async throws {
        try await fixture.pool.simple(
            """
            ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO pg_notify_as_it_was;
            CREATE FUNCTION public.pg_notify(text, text) RETURNS void LANGUAGE plpgsql AS $$
            BEGIN
                RAISE EXCEPTION 'too many notifications in the NOTIFY queue'
                    USING ERRCODE = '54000';
            END $$
            """)
    }

    private func withProcesses(
        _ fixture: WorkerFixture, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        var jobs = JobRegistry()
        jobs.handle(Errand.self) { step, _ in
            if step.waits { try await Task.sleep(for: .seconds(600)) }
            return .completed
        }
        var configuration = CoordinatorConfiguration()
        configuration.tick = .milliseconds(50)
        let coordinator = try Coordinator(
            pool: fixture.pool, configuration: configuration, logger: fixture.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await coordinator.run() }
            try await fixture.withWorker(jobs, lease: .seconds(1)) { try await body() }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func `everything works where every notification fails`() async throws {
        let fixture = try await WorkerFixture("no notify")
        try await breakNotify(fixture)
        let client = fixture.client
        let someone = Operator(client: client, as: "ada")
        // What is there before anybody runs: a dead session's job, a held one, a late one.
        try await fixture.pool.simple(
            """
            SELECT tenure.enqueue('errand', '{"waits": false}', id => i.id, notify => false)
            FROM (VALUES
                ('00000000-0000-7000-8000-000000000001'::uuid),
                ('00000000-0000-7000-8000-000000000002')) AS i (id);
            SELECT tenure.open_session('worker', 'gone', '0', '1 s', '{}', '{}');
            SELECT * FROM tenure.claim(1, 'default', '{errand}', 1);
            SELECT tenure.close_session(1);
            UPDATE tenure.job SET state = 'held', hold_versions = '{old}' WHERE state = 'available';
            SELECT tenure.enqueue(
                'late', not_after => clock_timestamp() + interval '50 ms', notify => false);
            SELECT tenure.put_schedule('s', '1 h', NULL, NULL,
                '{"kind": "errand", "key": "s", "payload": {"waits": false}}', false)
            """)
        let batch = NewBatch(
            [try NewJob(Errand(), .superseding("a")), try NewJob(Errand())],
            whenEnded: try NewJob(Errand(), .superseding("last")))
        let stopped = NewBatch([try NewJob(Errand(waits: true))])
        try await withProcesses(fixture) {
            try await client.start(batch)
            try await client.start(stopped)
            let running = try await client.enqueue(Errand(waits: true))
            for key in ["s", "last"] {
                try await fixture.eventually(
                    "\(key) ran",
                    "SELECT count(*) = 1 FROM tenure.job_history WHERE key = '\(key)'")
            }
            #expect(try await client.end(ofBatch: batch.id).completed == 2)
            try await fixture.eventually(
                "both run", "SELECT count(*) = 2 FROM tenure.job WHERE state = 'running'")
            #expect(try await someone.cancel(running.id) == .cancelling)
            #expect(try await someone.cancel(batch: stopped.id))
            #expect(try await client.end(ofBatch: stopped.id).cancelled == 1)
            try await fixture.eventually(
                "all are over", "SELECT count(*) = 0 FROM tenure.job")
        }
        #expect(try await fixture.count("tenure.job_history WHERE outcome = 'completed'") == 6)
        #expect(try await fixture.count("tenure.job_history WHERE outcome = 'cancelled'") == 2)
        #expect(try await fixture.count("tenure.job_history WHERE outcome = 'discarded'") == 1)
    }

    @Test func `the clock is followed, and jobs are released and retried, without a notification`()
        async throws
    {
        let fixture = try await WorkerFixture("no notify")
        try await breakNotify(fixture)
        try await fixture.pool.simple(
            """
            SELECT tenure.enqueue('errand', after => '1 h', notify => false)
            FROM generate_series(1, 3);
            UPDATE tenure.job SET state = 'held', hold_versions = '{old}'
            WHERE id = (SELECT min(id::text)::uuid FROM tenure.job)
            """)
        let sessions = PostgresSessionStore(
            beats: fixture.pool, pool: fixture.pool, wakeUp: fixture.client.notifier.wakeUp)
        let runs = PostgresRunStore(pool: fixture.pool, notifier: fixture.client.notifier)
        #expect(
            try await sessions.followClock(
                seenSteps: 0, back: .seconds(3600), finder: SessionID(1)))
        #expect(try await runs.releaseHeld(kinds: ["errand"], release: "new") == 1)
        let tally = try await Operator(client: fixture.client, as: "ada")
            .apply(.retry, toAll: JobFilter())
        #expect(tally == [.retried: 3])
    }
}
