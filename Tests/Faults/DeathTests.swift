import Tenure
import TenureSystem
import Testing

/// What a worker's death costs: an attempt of each job whose handler had begun, and no other's.
@Suite(.serialized) struct DeathTests {
    private let fast = #"{"plan": {"milliseconds": [0], "behaviour": "plain"}}"#

    private func slow(_ milliseconds: Int) -> String {
        #"{"plan": {"milliseconds": [\#(milliseconds)], "behaviour": "plain"}}"#
    }

    private func enqueue(
        _ fixture: FaultFixture, _ count: Int, _ payload: String, attempts: Int
    ) async throws {
        let jobs = try (0..<count).map { _ in
            try NewJob(kind: "work", payload: payload, nil, maxAttempts: attempts)
        }
        try await fixture.client.enqueue(jobs)
    }

    /// Whose connections are told from the test's own.
    private func worker(of fixture: FaultFixture) throws -> WorkerProcess {
        try WorkerProcess(conninfo: "\(fixture.conninfo) application_name=dying", slots: 8)
    }

    /// Declares every session dead, and takes their jobs back: what a live worker does, a lease
    /// after the server has read the last that the dead one sent. Here it is waited for.
    private func reclaim(_ fixture: FaultFixture) async throws {
        try await fixture.eventually(
            "the dead one's connections are gone", within: .seconds(60),
            """
            SELECT count(*) = 0 FROM pg_stat_activity a WHERE a.application_name LIKE 'dying%'
            """)
        try await fixture.pool.simple(
            """
            DO $$
            DECLARE
                watcher bigint := tenure.open_session('worker', 'w', '1', '30 s', '{}', '{}');
            BEGIN
                PERFORM tenure.declare_dead(s.id, s.beat, watcher) FROM tenure.session s
                WHERE s.id <> watcher AND s.ended_at IS NULL;
                PERFORM tenure.close_session(watcher);
                PERFORM FROM tenure.reclaim_runs(10000);
            END $$
            """)
    }

    private func jobs(_ fixture: FaultFixture, _ sql: String) async throws -> Set<String> {
        Set(try await fixture.pool.query(sql) { try $0.decode(0, as: String.self) })
    }

    /// The jobs whose handlers had begun and not ended.
    private func begun(_ worker: WorkerProcess) -> Set<String> {
        let ended = Set(worker.seen("handlerEnded").compactMap(\.job))
        return Set(worker.seen("handlerStarted").compactMap(\.job)).subtracting(ended)
    }

    @Test func `a killed worker's begun runs are charged, and what it had claimed ahead is not`()
        async throws
    {
        let fixture = try await FaultFixture()
        try await enqueue(fixture, 3000, fast, attempts: 5)
        try await enqueue(fixture, 300, slow(60_000), attempts: 5)
        let ids = "SELECT id::text FROM tenure.job WHERE payload::text LIKE '%60000%'"
        let slowOnes = try await jobs(fixture, ids)
        let worker = try self.worker(of: fixture)
        defer { worker.send(SIGKILL) }
        // Some of the fast ones may be left: where the database stalled, the worker gave back what
        // had waited in it, and took the slow ones before it took those again.
        let end = ContinuousClock.now + .seconds(60)
        while begun(worker).intersection(slowOnes).count < 8 {
            try #require(ContinuousClock.now < end, "it never ran slow ones")
            try await Task.sleep(for: .milliseconds(10))
        }
        // As long as ends were frequent, a note names more than the slots can take, for a moment.
        try await Task.sleep(for: .milliseconds(250))
        let seen = """
            SELECT count(*) FROM tenure.run_seen r
            WHERE tenure.has_begun(r.session_id, r.queue, r.fence)
            """
        try await fixture.eventually("all are seen", within: .seconds(10), "SELECT (\(seen)) = 8")
        let claimed = try await fixture.number(
            "SELECT count(*) FROM tenure.run_seen")
        let left = try await fixture.number("SELECT count(*) FROM tenure.job")
        worker.send(SIGKILL)
        _ = try await worker.end()
        try await reclaim(fixture)
        #expect(claimed > 8, "something was claimed ahead")
        let charged = try await jobs(fixture, "SELECT id::text FROM tenure.job WHERE attempt = 1")
        #expect(charged == begun(worker))
        #expect(charged.count == 8)
        #expect(
            try await fixture.number("SELECT count(*) FROM tenure.attempt_error") == 8)
        #expect(
            try await fixture.number("SELECT count(*) FROM tenure.job WHERE runs > 0") >= claimed)
        #expect(
            try await fixture.number(
                "SELECT count(*) FROM tenure.job WHERE state = 'available' AND refunds = 0") == left
        )
        print("of \(claimed) jobs that a killed worker had claimed \(charged.count) were charged")
    }

    @Test func `of 3,000 jobs with one attempt only those are discarded that had begun`()
        async throws
    {
        let fixture = try await FaultFixture()
        try await enqueue(fixture, 3000, slow(1000), attempts: 1)
        let worker = try self.worker(of: fixture)
        defer { worker.send(SIGKILL) }
        while worker.seen("handlerStarted").count < 24 {
            try await Task.sleep(for: .milliseconds(10))
        }
        try await Task.sleep(for: .milliseconds(300))
        #expect(
            try await fixture.number("SELECT count(*) FROM tenure.run_seen") == 8,
            "none is claimed ahead")
        worker.send(SIGKILL)
        _ = try await worker.end()
        try await reclaim(fixture)
        let discarded = try await jobs(
            fixture, "SELECT id::text FROM tenure.job_history WHERE outcome = 'discarded'")
        #expect(discarded == begun(worker) && discarded.count == 8)
        #expect(try await fixture.number("SELECT count(*) FROM tenure.job") == 3000 - 24)
        #expect(
            try await fixture.number("SELECT count(*) FROM tenure.job WHERE attempt > 0") == 0)
    }

    @Test func `a handler that kills its process at once is charged, and doesn't kill for ever`()
        async throws
    {
        let fixture = try await FaultFixture()
        let killer = #"{"plan": {"milliseconds": [0], "behaviour": "crashing"}}"#
        try await enqueue(fixture, 1000, fast, attempts: 5)
        try await enqueue(fixture, 1, killer, attempts: 3)
        try await enqueue(fixture, 1000, fast, attempts: 5)
        var deaths = 0
        let crashed = """
            SELECT count(*) FROM tenure.job_history WHERE outcome = 'discarded' AND attempt = 3
            """
        while deaths < 6, try await fixture.number(crashed) == 0 {
            let worker = try self.worker(of: fixture)
            defer { worker.send(SIGKILL) }
            _ = try await worker.end()
            deaths += 1
            try await reclaim(fixture)
        }
        #expect(deaths == 3)
        #expect(try await fixture.number(crashed) == 1)
        #expect(
            try await fixture.number(
                "SELECT count(*) FROM tenure.job_history WHERE outcome = 'discarded'") == 1)
    }
}
