import TenureFoundation
import TenurePostgres
import TestSupport
import Testing

@testable import Tenure

/// What an enqueue came to: said after the commit, also of those that went with a transaction.
@Suite struct GatheredTests {
    private struct Stop: Error {}

    private static func job(_ mode: KeyMode? = nil) throws -> NewJob {
        try NewJob(kind: "k", payload: "{}", mode)
    }

    private static func isUnknown(_ job: GatheredJob?) -> Bool {
        do {
            _ = try job?.outcome
            return false
        } catch {
            return (error as? TenureError)?.code == .misuse
        }
    }

    @Test func `what a transaction enqueued is told once it has committed`() async throws {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 4)
        let client = TenureClient(pool: pool)
        let first = try await client.enqueue([try Self.job(.keeping("a"))])[0]
        let second = try await client.enqueue([try Self.job(.coalescing("b"))])[0]
        let gathered = try await pool.transaction { transaction in
            let gathered = try client.enqueue(
                [
                    try Self.job(.keeping("a")), try Self.job(.coalescing("b")),
                    try Self.job(.superseding("b")), try Self.job(),
                ], in: transaction)
            #expect(gathered.allSatisfy { Self.isUnknown($0) })
            return gathered
        }
        let outcomes = try gathered.map { try $0.outcome }
        #expect(outcomes.map(\.result) == [.kept, .updated, .enqueued, .enqueued])
        #expect(outcomes[0].id == first.id)
        #expect(outcomes[1].id == second.id)
        #expect(outcomes[2].id == gathered[2].id && outcomes[3].id == gathered[3].id)
        #expect(outcomes[2].generation != nil)
    }

    @Test func `plain jobs have their own ids, alone and many`() async throws {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 4)
        let client = TenureClient(pool: pool)
        for count in [1, 3] {
            let gathered = try await pool.transaction { transaction in
                try client.enqueue(
                    try (0..<count).map { _ in try Self.job() }, in: transaction)
            }
            #expect(try gathered.map { try $0.outcome.id } == gathered.map(\.id))
        }
    }

    @Test func `of what was undone nothing is told`() async throws {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 4)
        let client = TenureClient(pool: pool)
        let lost = Lock<[GatheredJob]>([])
        let kept = try await pool.transaction { transaction in
            do {
                try await transaction.savepoint {
                    let job = try client.enqueue([try Self.job()], in: transaction)[0]
                    lost.withLock { $0.append(job) }
                    throw Stop()
                }
            } catch is Stop {}
            return try client.enqueue([try Self.job()], in: transaction)[0]
        }
        #expect(try kept.outcome.id == kept.id)
        do {
            try await pool.transaction { transaction in
                let job = try client.enqueue([try Self.job()], in: transaction)[0]
                lost.withLock { $0.append(job) }
                throw Stop()
            }
        } catch is Stop {}
        let undone = lost.withLock { $0 }
        #expect(undone.count == 2 && undone.allSatisfy { Self.isUnknown($0) })
    }

    @Test func `a database without the schema says what to do, whatever is asked`() async throws {
        let conninfo = try await TestPostgres.shared().makeDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 4)
        let client = TenureClient(pool: pool)
        let asks: [(String, () async throws -> Void)] = [
            ("enqueue", { try await client.enqueue([try Self.job()]) }),
            ("keyed", { try await client.enqueue([try Self.job(.keeping("a"))]) }),
            (
                "gathered",
                {
                    try await pool.transaction { transaction in
                        _ = try client.enqueue([try Self.job()], in: transaction)
                    }
                }
            ),
            ("batch", { try await client.start(NewBatch([try Self.job()])) }),
            ("end", { _ = try await client.end(of: JobID(), deadline: .seconds(1)) }),
            ("room", { _ = try await client.room(in: .default) }),
            ("queues", { _ = try await Inspector(pool: pool).queues() }),
            ("job", { _ = try await Inspector(pool: pool).job(JobID()) }),
            ("cancel", { _ = try await Operator(client: client, as: "me").cancel(JobID()) }),
            ("lanes", { _ = try await Lanes(client: client).list() }),
        ]
        for (name, ask) in asks {
            do {
                try await ask()
                Issue.record("\(name) found a schema")
            } catch {
                let known = error as? TenureError
                #expect(known?.code == .schemaMismatch, "\(name): \(error)")
                let remedy = known?.message.contains("Migrator(pool:).up()")
                #expect(remedy == true, "\(name): \(error)")
            }
        }
    }
}
