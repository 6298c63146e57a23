import TestSupport
import Testing

@testable import TenurePostgres

@Suite struct UnknownCommitTests {
    /// Commits one row through a connection that is cut at COMMIT.
    private func commit(
        _ fault: TestProxy.Fault, tracked: Bool = true
    ) async throws -> (error: PostgresError?, status: PostgresCommitStatus?, rows: Int) {
        let direct = try await TestDatabase.pool()
        let table = "t\(UInt32.random(in: 0...(.max)))"
        try await direct.simple("CREATE TABLE \(table) (x int)")
        let (proxy, configuration) = try await TestDatabase.proxied()
        let pool = PostgresPool(
            configuration: configuration, size: 1, acquireDeadline: .seconds(30))
        let error = await #expect(throws: PostgresError.self) {
            try await pool.transaction(tracked: tracked) { transaction in
                try await transaction.query("INSERT INTO \(table) VALUES (1)")
                proxy.set(fault)
            }
        }
        proxy.set(nil)
        var status: PostgresCommitStatus?
        if let unknown = error?.unknownCommit { status = try await pool.resolve(unknown) }
        var rows = 0
        // What was cut off arrives a little later than the cut.
        for _ in 0..<50 where rows == 0 {
            try await Task.sleep(for: .milliseconds(20))
            rows = try await direct.query("SELECT FROM \(table)")
        }
        try await direct.simple("DROP TABLE \(table)")
        proxy.stop()
        await pool.close()
        await direct.close()
        return (error, status, rows)
    }

    @Test func `A reply lost after COMMIT arrived is unknown, and resolves to committed`()
        async throws
    {
        let (error, status, rows) = try await commit(.cutAfter("COMMIT"))
        #expect(error?.code == .unknownCommit)
        #expect(error?.isTransient == false)
        #expect(status == .committed)
        #expect(rows == 1)
    }

    @Test func `A COMMIT lost on its way is unknown, and resolves to aborted`() async throws {
        let (error, status, rows) = try await commit(.cutBefore("COMMIT"))
        #expect(error?.code == .unknownCommit)
        #expect(status == .aborted)
        #expect(rows == 0)
    }

    @Test func `Untracked, the unknown outcome has nothing to ask with`() async throws {
        let (error, _, rows) = try await commit(.cutAfter("COMMIT"), tracked: false)
        #expect(error?.code == .unknownCommit)
        #expect(error?.unknownCommit == nil)
        #expect(rows == 1)
    }

    @Test func `A transaction still open resolves to in progress at the deadline`() async throws {
        let pool = try await TestDatabase.pool(size: 1)
        let other = try await TestDatabase.pool(size: 1)
        try await other.query("SELECT 1")
        try await pool.transaction(tracked: true) { transaction in
            let xid = try #require(transaction.xid)
            let status = try await other.resolve(
                PostgresUnknownCommit(xid: xid), deadline: .seconds(2))
            #expect(status == .inProgress)
        }
        await other.close()
        await pool.close()
    }

    @Test func `An id from the future left no trace: aborted`() async throws {
        let pool = try await TestDatabase.pool()
        let now = try await pool.query("SELECT pg_current_xact_id()") {
            try $0.decode(0, as: PostgresTransactionID.self)
        }
        let future = PostgresTransactionID(rawValue: now[0].rawValue + 1_000_000)
        let status = try await pool.resolve(PostgresUnknownCommit(xid: future))
        #expect(status == .aborted)
        await pool.close()
    }

    @Test func `A connection lost before COMMIT is no unknown outcome`() async throws {
        let pool = try await TestDatabase.pool()
        let error = await #expect(throws: PostgresError.self) {
            try await pool.transaction(tracked: true) { transaction in
                try await transaction.query("SELECT pg_terminate_backend(pg_backend_pid())")
            }
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.sqlState == "57P01")
        await pool.close()
    }

    @Test(arguments: [
        ("committed", true, PostgresCommitStatus.committed),
        ("committed", false, .ambiguous),
        ("aborted", true, .aborted),
        ("aborted", false, .aborted),
        ("in progress", false, .inProgress),
        ("", true, .tooOld),
    ])
    func `After a crash "committed" may be said of another transaction`(
        says: String, isSameServer: Bool, status: PostgresCommitStatus
    ) {
        #expect(
            PostgresCommitStatus(says: says.isEmpty ? nil : says, isSameServer: isSameServer)
                == status)
    }
}
