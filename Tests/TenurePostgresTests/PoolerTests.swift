import EmbeddedPostgres
import FaultSupport
import TestSupport
import Testing

@testable import TenurePostgres

/// What the client makes of PgBouncer, with nothing but the address of it.
@Suite struct PoolerTests {
    private func withPooler<Result>(
        _ mode: PgBouncer.Mode = .transaction,
        _ body: (PostgresConfiguration) async throws -> Result
    ) async throws -> Result {
        let pooler = try await TestPostgres.shared().pooler(mode)
        defer { pooler.stop() }
        return try await body(try PostgresConfiguration(pooler.conninfo()))
    }

    @Test func `A pooler is found out, and a direct connection is none`() async throws {
        let isPooled = try await withPooler { configuration in
            let connection = try await PostgresConnection.connect(configuration)
            defer { connection.close() }
            return connection.isPooled
        }
        #expect(isPooled)
        let direct = try await TestDatabase.connection()
        defer { direct.close() }
        #expect(!direct.isPooled)
    }

    /// Each transaction of theirs may run in another process of the server.
    @Test func `Many clients of a pooler run the same statements and share no session`()
        async throws
    {
        try await withPooler { configuration in
            let pools = (0..<8).map { _ in
                PostgresPool(
                    configuration: configuration, size: 4, acquireDeadline: .seconds(30))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, pool) in pools.enumerated() {
                    group.addTask {
                        for _ in 0..<50 {
                            let rows = try await pool.execute(Doubled(number: Int64(number)))
                            #expect(rows == [Int64(number) * 2])
                        }
                        try await pool.transaction(tracked: true) { transaction in
                            #expect(transaction.xid != nil)
                            let rows = try await transaction.execute(Doubled(number: 21))
                            #expect(rows == [42])
                        }
                    }
                }
                try await group.waitForAll()
            }
            for pool in pools { await pool.close() }
        }
    }

    @Test func `Nothing goes alone behind a pooler, whose processes are its own`() async throws {
        try await withPooler { configuration in
            let pool = PostgresPool(configuration: configuration, size: 1)
            let written = try await pool.commit(alone: Doubled(number: 1))
            #expect(written == nil)
            await pool.close()
        }
    }

    /// PgBouncer tells it as an ERROR of its own, as if the server had refused the statement.
    @Test func `A server lost behind its pooler leaves the outcome open`() async throws {
        let postgres = try await TestPostgres.dedicated()
        let pooler = try await postgres.pooler()
        defer { pooler.stop() }
        let connection = try await PostgresConnection.connect(
            try PostgresConfiguration(pooler.conninfo()))
        defer { connection.close() }
        let call = Task { try await connection.query("SELECT pg_sleep(20)") }
        try await Task.sleep(for: .milliseconds(500))
        postgres.server?.kill()
        let error = await #expect(throws: PostgresError.self) { try await call.value }
        #expect(error?.code == .connectionLost)
        #expect(error?.leavesCommitUnknown == true)
    }

    @Test func `A pooler refuses options that the program insists on, and the error says so`()
        async throws
    {
        let pooler = try await TestPostgres.shared().pooler()
        defer { pooler.stop() }
        let configuration = try PostgresConfiguration(
            pooler.conninfo() + " options='-c work_mem=8MB'")
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.connect(configuration).close()
        }
        #expect(error?.isTransient == false)
        #expect(error?.hint?.contains("leave options out") == true)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `A listener behind a pooler in transaction mode knows that it is deaf`(
        triesPooler: Bool
    ) async throws {
        try await withPooler { configuration in
            let first = try await firstEvent(configuration, triesPooler: triesPooler)
            #expect(first == .deaf)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `A listener behind a pooler in session mode listens when it may try`(
        triesPooler: Bool
    ) async throws {
        try await withPooler(.session) { configuration in
            let first = try await firstEvent(configuration, triesPooler: triesPooler)
            #expect(first == (triesPooler ? .listening : .deaf))
        }
    }

    private func firstEvent(
        _ configuration: PostgresConfiguration, triesPooler: Bool
    ) async throws -> PostgresListenerEvent? {
        let listener = PostgresListener(
            configuration: configuration, channels: ["x"], triesPooler: triesPooler)
        let running = Task { try await listener.run() }
        var events = listener.events.makeAsyncIterator()
        let first = await events.next()
        running.cancel()
        _ = await running.result
        return first
    }
}

private struct Doubled: PostgresStatement {
    static let sql = "SELECT $1::int8 * 2"
    let number: Int64

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(number) }
    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}
