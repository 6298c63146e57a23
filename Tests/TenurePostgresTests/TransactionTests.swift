import TenurePostgres
import Testing

@Suite struct TransactionTests {
    /// A table of the test's own, dropped at the end.
    private func withTable(
        _ body: (PostgresPool, String) async throws -> Void
    ) async throws {
        let pool = try await TestDatabase.pool()
        let table = "t\(UInt32.random(in: 0...(.max)))"
        try await pool.simple("CREATE TABLE \(table) (x int)")
        try await body(pool, table)
        try await pool.simple("DROP TABLE \(table)")
        await pool.close()
    }

    @Test func `What the closure wrote is there after it, and not before`() async throws {
        try await withTable { (pool, table) async throws in
            let result = try await pool.transaction { transaction in
                try await transaction.query("INSERT INTO \(table) VALUES (1)")
                let seen = try await pool.query("SELECT FROM \(table)")
                #expect(seen == 0)
                return "done"
            }
            #expect(result == "done")
            #expect(try await pool.query("SELECT FROM \(table)") == 1)
        }
    }

    @Test func `A thrown error rolls back and comes out as it was`() async throws {
        struct Own: Error {}
        try await withTable { (pool, table) async throws in
            await #expect(throws: Own.self) {
                try await pool.transaction { transaction in
                    try await transaction.query("INSERT INTO \(table) VALUES (1)")
                    throw Own()
                }
            }
            #expect(try await pool.query("SELECT FROM \(table)") == 0)
        }
    }

    @Test func `A cancelled task rolls back, even one that takes no notice`() async throws {
        try await withTable { (pool, table) async throws in
            let sleeping = Task {
                try await pool.transaction { transaction in
                    try await transaction.query("INSERT INTO \(table) VALUES (1)")
                    try await transaction.query("SELECT pg_sleep(30)")
                }
            }
            try await Task.sleep(for: .milliseconds(100))
            sleeping.cancel()
            await #expect(throws: CancellationError.self) { _ = try await sleeping.value }
            let heedless = Task {
                try await pool.transaction { transaction in
                    try await transaction.query("INSERT INTO \(table) VALUES (1)")
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            await #expect(throws: CancellationError.self) { _ = try await heedless.value }
            #expect(try await pool.query("SELECT FROM \(table)") == 0)
        }
    }

    @Test func `COMMIT of a failed transaction is an error, not a success`() async throws {
        try await withTable { (pool, table) async throws in
            let error = await failure {
                try await pool.transaction { transaction in
                    try await transaction.query("INSERT INTO \(table) VALUES (1)")
                    _ = await failure { try await transaction.query("SELECT 1/0") }
                }
            }
            #expect(error?.code == .commitRefused)
            #expect(try await pool.query("SELECT FROM \(table)") == 0)
        }
    }

    @Test func `A transaction that got out of its scope refuses to work`() async throws {
        let pool = try await TestDatabase.pool()
        let escaped = try await pool.transaction { $0 }
        let error = await #expect(throws: PostgresError.self) {
            try await escaped.query("SELECT 1")
        }
        #expect(error?.code == .misuse)
        await pool.close()
    }

    @Test func `Hooks run in order, before COMMIT inside and after it outside`() async throws {
        try await withTable { (pool, table) async throws in
            let order = Shared<[String]>([])
            let note: @Sendable (String) -> Void = { name in order.change { $0.append(name) } }
            try await pool.transaction { transaction in
                try transaction.addAfterCommit { note("after") }
                try transaction.addBeforeCommit { transaction in
                    note("first")
                    try await transaction.query("INSERT INTO \(table) VALUES (1)")
                    try transaction.addBeforeCommit { _ in note("third") }
                }
                try transaction.addBeforeCommit { _ in note("second") }
                note("body")
            }
            #expect(order.value == ["body", "first", "second", "third", "after"])
            #expect(try await pool.query("SELECT FROM \(table)") == 1)
        }
    }

    @Test func `A hook that throws rolls back, and nothing runs after it`() async throws {
        try await withTable { (pool, table) async throws in
            let hasRun = Shared(false)
            await #expect(throws: PostgresError.self) {
                try await pool.transaction { transaction in
                    try await transaction.query("INSERT INTO \(table) VALUES (1)")
                    try transaction.addAfterCommit { hasRun.change { $0 = true } }
                    try transaction.addBeforeCommit { try await $0.simple("SELECT 1/0") }
                }
            }
            #expect(!hasRun.value)
            #expect(try await pool.query("SELECT FROM \(table)") == 0)
        }
    }

    @Test func `A value stays with its transaction`() async throws {
        let pool = try await TestDatabase.pool()
        try await pool.transaction { transaction in
            #expect(transaction.attached(Int.self) == nil)
            #expect(transaction.attached(orAttach: { 7 }) == 7)
            #expect(transaction.attached(orAttach: { 8 }) == 7)
            transaction.attach("text")
            #expect(transaction.attached(String.self) == "text")
        }
        await pool.close()
    }

    @Test func `The deadline holds for the whole transaction`() async throws {
        let pool = try await TestDatabase.pool()
        try await pool.query("SELECT 1")
        let error = await #expect(throws: PostgresError.self) {
            try await pool.transaction(deadline: .seconds(1)) { transaction in
                while true { try await transaction.query("SELECT pg_sleep(0.05)") }
            }
        }
        #expect(error?.code == .deadlineExceeded)
        #expect(try await pool.query("SELECT 1") == 1)
        await pool.close()
    }
}
