import EmbeddedPostgres
import FaultSupport
import Tenure
import TestSupport
import Testing

/// What an enqueue is told whose connection breaks at the worst moment.
@Suite struct EnqueueTests {
    @Test(
        arguments: [nil, .superseding("page"), .coalescing("page"), .keeping("page")] as [KeyMode?])
    func `an enqueue whose COMMIT went unanswered is acknowledged once, and there once`(
        mode: KeyMode?
    ) async throws {
        let (fixture, proxy, client) = try await Self.behindProxy()
        for _ in 0..<3 {
            proxy.arm(.reply)
            let job = try NewJob(kind: "work", payload: "{}", mode)
            let answer = try await client.enqueue([job])
            #expect(try await fixture.number(Self.rows(of: answer[0].id)) == 1)
        }
        #expect(
            try await fixture.number("SELECT count(*) FROM tenure.job") == (mode == nil ? 3 : 1))
    }

    @Test(arguments: [nil, .superseding("page"), .coalescing("page")] as [KeyMode?])
    func `an enqueue whose COMMIT never arrived is sent again, and there once`(
        mode: KeyMode?
    ) async throws {
        let (fixture, proxy, client) = try await Self.behindProxy()
        for _ in 0..<3 {
            proxy.arm(.before)
            let job = try NewJob(kind: "work", payload: "{}", mode)
            let answer = try await client.enqueue([job])
            #expect(try await fixture.number(Self.rows(of: answer[0].id)) == 1)
            if mode?.way != .coalescing { #expect(answer[0].id == job.id) }
        }
        #expect(
            try await fixture.number("SELECT count(*) FROM tenure.job") == (mode == nil ? 3 : 1))
    }

    @Test(arguments: [ProxyRules.CommitCut.reply, .before], [false, true])
    func `a bulk whose commit was cut is there once, with its generations`(
        cut: ProxyRules.CommitCut, isKeyed: Bool
    ) async throws {
        let (fixture, proxy, client) = try await Self.behindProxy()
        for _ in 0..<2 {
            let jobs = try (0..<10).map {
                try NewJob(kind: "work", payload: "{}", isKeyed ? .superseding("page \($0)") : nil)
            }
            proxy.arm(cut)
            let answer = try await client.enqueue(jobs)
            #expect(answer.map(\.id) == jobs.map(\.id))
            #expect(Set(answer.compactMap(\.generation)).count == (isKeyed ? 10 : 0))
        }
        #expect(proxy.cutAt != nil)
        #expect(
            try await fixture.number("SELECT count(*) FROM tenure.job") == (isKeyed ? 10 : 20))
    }

    @Test(arguments: [nil, .superseding("page")] as [KeyMode?])
    func `where completed jobs leave no row an enqueue goes in a transaction that can be asked for`(
        mode: KeyMode?
    ) async throws {
        let (fixture, proxy, client) = try await Self.behindProxy()
        _ = try await fixture.number(
            """
            INSERT INTO tenure.queue (name, keep_completed) VALUES ('default', false) RETURNING 1
            """)
        proxy.arm(.reply)
        let job = try NewJob(kind: "work", payload: "{}", mode)
        let enqueue = Task { try await client.enqueue([job]) }
        // It is done, and gone without a trace, before the client asks.
        let drop = "WITH gone AS (DELETE FROM tenure.job RETURNING 1) SELECT count(*) FROM gone"
        var dropped: Int64 = 0
        for _ in 0..<1500 where dropped == 0 {
            dropped = Int64(try await fixture.number(drop))
            if dropped == 0 { try await Task.sleep(for: .milliseconds(10)) }
        }
        // One that was sent once more is there now.
        #expect(try await enqueue.value[0].id == job.id)
        #expect(try await fixture.number("SELECT count(*) FROM tenure.job") == 0)
    }

    @Test(
        arguments: [nil, .superseding("page")] as [KeyMode?],
        [ProxyRules.CommitCut.reply, .before])
    func `an enqueue is settled also where the server never learns that its client has gone`(
        mode: KeyMode?, cut: ProxyRules.CommitCut
    ) async throws {
        let (fixture, proxy, client) = try await Self.behindProxy()
        proxy.change { $0.strandsServer = true }
        proxy.arm(cut)
        let job = try NewJob(kind: "work", payload: "{}", mode)
        let answer = try await client.enqueue([job])
        #expect(proxy.cutAt != nil)
        #expect(answer.map(\.id) == [job.id])
        #expect(try await fixture.number("SELECT count(*) FROM tenure.job") == 1)
    }

    @Test(
        arguments: [KeyMode.superseding("page"), .coalescing("page")],
        [ProxyRules.CommitCut.reply, .before])
    func `what is left of an enqueue before a crash tells of it, whatever came of its key since`(
        mode: KeyMode, cut: ProxyRules.CommitCut
    ) async throws {
        let (fixture, proxy, client) = try await Self.behindProxy()
        let server = try #require(fixture.postgres.server)
        try await Self.leaveNothingAlone(client, fixture)
        // What is never committed leaves nothing in the log, so its id is given again.
        for change in ["ALTER SYSTEM SET wal_writer_delay = '10s'", "SELECT pg_reload_conf()"] {
            try await fixture.pool.simple(change)
        }
        _ = try await fixture.client.enqueue([
            NewJob(kind: "work", payload: #"{"by": 1}"#, .superseding("page"))
        ])
        let alone = try NewJob(kind: "work", payload: #"{"by": 2}"#, mode)
        let beside = try NewJob(kind: "work", payload: #"{"by": 2}"#)
        // Where it changes another's job only, that alone is left to tell.
        let jobs = cut == .reply ? [alone] : [alone, beside]
        proxy.arm(cut)
        proxy.change { $0.refuses = true }
        let enqueue = Task { try await client.enqueue(jobs) }
        while proxy.cutAt == nil { try await Task.sleep(for: .milliseconds(5)) }
        server.kill()
        try await server.restart()
        let newer = try await fixture.client.enqueue([
            NewJob(kind: "work", payload: #"{"by": 3}"#, .coalescing("page"))
        ])[0]
        for _ in 0..<50 { try await fixture.pool.simple("SELECT pg_current_xact_id()") }
        proxy.mend()
        let answer = try await enqueue.value
        let expected = cut == .reply ? 3 : 2
        if cut == .reply { #expect(answer.map(\.id) == [newer.id]) }
        for job in answer { #expect(try await fixture.number(Self.rows(of: job.id)) == 1) }
        let page = "SELECT (payload ->> 'by')::int8 FROM tenure.job WHERE key = 'page'"
        #expect(try await fixture.number(page) == expected)
    }

    /// A call in which one job goes where completed ones leave no row.
    private static func leaveNothingAlone(
        _ client: TenureClient, _ fixture: FaultFixture
    ) async throws {
        _ = try await fixture.number(
            "INSERT INTO tenure.queue (name, keep_completed) VALUES ('plain', false) RETURNING 1")
        _ = try await client.enqueue([
            NewJob(kind: "work", payload: "{}"),
            NewJob(kind: "work", payload: "{}", queue: "plain"),
        ])
    }

    private static func rows(of job: JobID) -> String {
        """
        SELECT (SELECT count(*) FROM tenure.job WHERE id = '\(job)')
             + (SELECT count(*) FROM tenure.job_history WHERE id = '\(job)')
        """
    }

    private static func behindProxy() async throws -> (FaultFixture, DatabaseProxy, TenureClient) {
        let fixture = try await FaultFixture()
        let proxy = try DatabaseProxy(to: fixture.postgres.socketFile)
        let pool = try fixture.pool(behind: proxy, size: 2)
        return (fixture, proxy, TenureClient(pool: pool, logger: FaultFixture.silent))
    }
}
