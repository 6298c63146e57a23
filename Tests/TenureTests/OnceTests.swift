import TenureFoundation
import TenurePostgres
import TestSupport
import Testing

@testable import Tenure

/// Enqueues that come too late, that are undone, or that come again.
@Suite struct OnceTests {
    private struct Stop: Error {}

    private static func pool() async throws -> PostgresPool {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 4)
        return pool
    }

    private static func job(_ mode: KeyMode? = nil, id: JobID? = nil) throws -> NewJob {
        try NewJob(kind: "k", payload: "{}", mode, id: id)
    }

    private static func finish(_ pool: PostgresPool) async throws {
        try await pool.simple(
            """
            SELECT tenure.open_session('worker', 'w', '1', '30 s', '{}', '{}');
            SELECT tenure.finish(c.id, c.fence)
            FROM tenure.claim((SELECT max(id) FROM tenure.session), 'default', '{k}', 10) AS c
            """)
    }

    private static func isMisuse(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch {
            return (error as? PostgresError)?.code == .misuse
        }
    }

    @Test(arguments: [true, false])
    func `An enqueue in a transaction that is over is refused`(commits: Bool) async throws {
        let pool = try await Self.pool()
        let client = TenureClient(pool: pool)
        let escaped = Lock<PostgresTransaction?>(nil)
        let refusedInHook = Lock(false)
        do {
            try await pool.transaction { transaction in
                escaped.withLock { $0 = transaction }
                try client.enqueue([try Self.job()], in: transaction)
                try transaction.addAfterCommit {
                    let isRefused = await Self.isMisuse {
                        try client.enqueue([try Self.job()], in: transaction)
                    }
                    refusedInHook.withLock { $0 = isRefused }
                }
                if !commits { throw Stop() }
            }
        } catch is Stop {}
        let transaction = try #require(escaped.withLock { $0 })
        #expect(await Self.isMisuse { try client.enqueue([try Self.job()], in: transaction) })
        #expect(
            await Self.isMisuse {
                try await client.start(NewBatch([try Self.job()]), in: transaction)
            })
        #expect(refusedInHook.withLock { $0 } == commits)
        #expect(try await pool.query("SELECT FROM tenure.job") == (commits ? 1 : 0))
        await pool.close()
    }

    @Test func `A task that races the end is refused, or its job is there`() async throws {
        let pool = try await Self.pool()
        let client = TenureClient(pool: pool)
        for _ in 0..<60 {
            let racer = try await pool.transaction { transaction in
                try client.enqueue([try Self.job()], in: transaction)
                return Task {
                    var accepted: [JobID] = []
                    for _ in 0..<200 {
                        let job = try Self.job()
                        if await Self.isMisuse({ try client.enqueue([job], in: transaction) }) {
                            break
                        }
                        accepted.append(job.id)
                        await Task.yield()
                    }
                    return accepted
                }
            }
            let ids = try await racer.value
            let there = try await pool.query(
                "SELECT FROM tenure.job WHERE id = ANY ($1)", [ids.map(\.uuid)])
            #expect(there == ids.count)
        }
        await pool.close()
    }

    @Test(arguments: [nil, .superseding("a")] as [KeyMode?])
    func `Enqueues since a savepoint go with it`(mode: KeyMode?) async throws {
        let pool = try await Self.pool()
        let client = TenureClient(pool: pool)
        let jobs = try (0..<4).map { _ in try Self.job(mode) }
        try await pool.transaction { transaction in
            for (place, job) in jobs.enumerated() {
                do {
                    try await transaction.savepoint {
                        try client.enqueue([job], in: transaction)
                        if place % 2 == 0 { throw Stop() }
                    }
                } catch is Stop {}
            }
        }
        let there = try await pool.query(
            "SELECT id FROM tenure.job UNION ALL SELECT id FROM tenure.job_history ORDER BY id"
        ) { JobID(try $0.decode(0, as: UUID.self)) }
        #expect(Set(there) == [jobs[1].id, jobs[3].id])
        await pool.close()
    }

    @Test(arguments: [nil, .superseding("a"), .coalescing("a")] as [KeyMode?], [true, false])
    func `The same job enqueued again is kept, unfinished or over`(
        mode: KeyMode?, isGiven: Bool
    ) async throws {
        let pool = try await Self.pool()
        let client = TenureClient(pool: pool)
        let job = try Self.job(mode, id: isGiven ? JobID() : nil)
        #expect(try await client.enqueue([job])[0].result == .enqueued)
        for _ in 0..<2 {
            let again = try await client.enqueue([job, job])
            #expect(again.map(\.result) == [.kept, .kept])
            #expect(Set(again.map(\.id)) == [job.id])
            try await pool.transaction { try client.enqueue([job], in: $0) }
            try await Self.finish(pool)
        }
        #expect(try await pool.query("SELECT FROM tenure.job") == 0)
        #expect(try await pool.query("SELECT FROM tenure.job_history") == 1)
        await pool.close()
    }

    @Test func `A transaction that is tried again enqueues what it enqueued before`() async throws {
        let pool = try await Self.pool()
        let client = TenureClient(pool: pool)
        let job = try Self.job()
        for attempt in 0..<3 {
            do {
                try await pool.transaction(isolation: .serializable) { transaction in
                    try client.enqueue([job], in: transaction)
                    if attempt < 2 { throw Stop() }
                }
            } catch is Stop {}
        }
        #expect(try await pool.query("SELECT FROM tenure.job") == 1)
        await pool.close()
    }

    @Test func `A run that is started again stays as it is`() async throws {
        let pool = try await Self.pool()
        let client = TenureClient(pool: pool)
        let run = NewBatch([try Self.job(), try Self.job()])
        #expect(try await client.start(run))
        #expect(try await !client.start(run))
        try await Self.finish(pool)
        #expect(try await !client.start(run))
        #expect(try await pool.query("SELECT FROM tenure.job") == 0)
        #expect(try await pool.query("SELECT FROM tenure.job_history") == 2)
        await pool.close()
    }
}
