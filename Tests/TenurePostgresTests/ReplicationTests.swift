import TestSupport
import Testing

@testable import TenurePostgres

/// Commits whose wait for a synchronous standby is cut off. They stand on the primary, and a
/// failover would lose them: nobody may be told that they are committed. The standby here is one
/// that never comes.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ReplicationTests {
    enum Interruption: String, CaseIterable { case cancel, terminate }

    /// A server that waits for a standby, once the table is there.
    private static func waiting() async throws -> (TestPostgres, PostgresPool) {
        let postgres = try await TestPostgres.dedicated()
        try await postgres.psql("CREATE TABLE t (x int)")
        try await requireStandby(true, postgres)
        let configuration = try PostgresConfiguration(postgres.conninfo)
        return (postgres, PostgresPool(configuration: configuration, size: 2))
    }

    private static func requireStandby(_ isRequired: Bool, _ postgres: TestPostgres) async throws {
        try await postgres.psql(
            isRequired
                ? "ALTER SYSTEM SET synchronous_standby_names = 'nobody'"
                : "ALTER SYSTEM RESET synchronous_standby_names",
            "SELECT pg_reload_conf()")
        // The checkpointer tells the others, a moment later.
        let isSet = "SELECT current_setting('synchronous_standby_names') <> ''"
        while try await postgres.psql(isSet) != (isRequired ? "t" : "f") {
            try await Task.sleep(for: .milliseconds(10))
        }
        try await Task.sleep(for: .milliseconds(200))
    }

    /// Does so to the next backend that waits for the standby.
    private static func interrupt(
        _ how: Interruption, _ postgres: TestPostgres
    ) async throws {
        let verb = how == .cancel ? "pg_cancel_backend" : "pg_terminate_backend"
        while true {
            let done = try await postgres.psql(
                "SELECT \(verb)(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            if done.contains("t") { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private static func unknown(
        _ body: @escaping @Sendable () async throws -> Void, _ how: Interruption,
        _ postgres: TestPostgres
    ) async throws -> PostgresError? {
        let call = Task { try await body() }
        try await interrupt(how, postgres)
        return await #expect(throws: PostgresError.self) { try await call.value }
    }

    @Test(arguments: Interruption.allCases)
    func `A transaction is not committed before its standby has confirmed it`(
        how: Interruption
    ) async throws {
        let (postgres, pool) = try await Self.waiting()
        let error = try await Self.unknown(
            {
                _ = try await pool.transaction(tracked: true) { transaction in
                    try await transaction.query("INSERT INTO t VALUES (1)")
                }
            }, how, postgres)
        #expect(error?.code == .unknownCommit)
        let unknown = try #require(error?.unknownCommit)
        await #expect(throws: PostgresError.self) {
            try await pool.resolve(unknown, deadline: .seconds(1))
        }
        try await Self.requireStandby(false, postgres)
        #expect(try await pool.resolve(unknown) == .committed)
        await pool.close()
    }

    @Test(arguments: Interruption.allCases)
    func `A statement on its own is not committed before its standby has confirmed it`(
        how: Interruption
    ) async throws {
        let (postgres, pool) = try await Self.waiting()
        let error = try await Self.unknown(
            { _ = try await pool.commit(alone: InsertOne()) }, how, postgres)
        #expect(error?.code == .unknownCommit)
        let unknown = try #require(error?.unknownCommit)
        #expect(try await pool.resolve(unknown) == .ambiguous)
        // The row is there for everybody to see, and may still be lost.
        #expect(try await pool.execute(CountRows()) == [1])
        let asked = await #expect(throws: PostgresError.self) {
            try await pool.confirmed(CountRows(), deadline: .seconds(1))
        }
        #expect(asked?.code == .notReplicated)
        try await Self.requireStandby(false, postgres)
        #expect(try await pool.confirmed(CountRows()) == [1])
        await pool.close()
    }

    @Test func `Any other statement that its standby has not confirmed is an error`() async throws {
        let (postgres, pool) = try await Self.waiting()
        let error = try await Self.unknown(
            { _ = try await pool.query("INSERT INTO t VALUES (1)") }, .cancel, postgres)
        #expect(error?.code == .notReplicated)
        #expect(error?.isTransient == true)
        // Its own deadline ends the wait alike.
        let late = await #expect(throws: PostgresError.self) {
            try await pool.query("INSERT INTO t VALUES (1)", deadline: .milliseconds(200))
        }
        #expect(late?.code == .notReplicated)
        await pool.close()
    }

    @Test func `An id of another server is not taken for an answer`() async throws {
        let pool = try await TestDatabase.pool()
        let xid = try await pool.transaction(tracked: true) { $0.xid }
        let other = PostgresUnknownCommit(xid: try #require(xid), incarnation: "1/00000002/3")
        #expect(try await pool.resolve(other) == .ambiguous)
        await pool.close()
    }

    @Test func `A process of another server is not taken for an answer, and left alone`()
        async throws
    {
        let pool = try await TestDatabase.pool()
        let bystander = try await TestDatabase.connection()
        defer { bystander.close() }
        let own = try #require(
            try await bystander.serverProcess(until: .now + .seconds(5)))
        let other = PostgresServerProcess(
            id: own.id, startedAt: own.startedAt, incarnation: "1/00000002/3")
        let status = try await pool.resolve(
            PostgresUnknownCommit(process: other), deadline: .seconds(1))
        #expect(status == .ambiguous)
        #expect(try await bystander.query("SELECT 1") == 1)
        await pool.close()
    }
}

private struct InsertOne: PostgresStatement {
    static let sql = "INSERT INTO t VALUES (1)"
}

private struct CountRows: PostgresStatement {
    static let sql = "SELECT count(*) FROM t"
    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}
