import TenurePostgres
import Testing

/// A part of a transaction that fails by itself; and a transaction that is over.
@Suite struct SavepointTests {
    private struct Stop: Error {}

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

    @Test func `What a part did is undone with its hooks, and the transaction goes on`()
        async throws
    {
        try await withTable { (pool, table) async throws in
            let order = Shared<[String]>([])
            let note: @Sendable (String) -> Void = { name in order.change { $0.append(name) } }
            try await pool.transaction { transaction in
                try transaction.addBeforeCommit { _ in note("before") }
                transaction.attach(1)
                await #expect(throws: Stop.self) {
                    try await transaction.savepoint {
                        try await transaction.query("INSERT INTO \(table) VALUES (1)")
                        try transaction.addBeforeCommit { _ in note("undone") }
                        try transaction.addAfterCommit { note("undone") }
                        transaction.attach(2)
                        transaction.attach("undone")
                        try await transaction.savepoint {
                            try transaction.addAfterCommit { note("undone") }
                        }
                        throw Stop()
                    }
                }
                #expect(transaction.attached(Int.self) == 1)
                #expect(transaction.attached(String.self) == nil)
                try await transaction.savepoint {
                    try await transaction.query("INSERT INTO \(table) VALUES (2)")
                    try transaction.addAfterCommit { note("after") }
                }
            }
            #expect(order.value == ["before", "after"])
            #expect(try await pool.query("SELECT FROM \(table)") == 1)
        }
    }

    @Test func `A statement that failed in a part leaves the transaction usable`() async throws {
        try await withTable { (pool, table) async throws in
            try await pool.transaction { transaction in
                await #expect(throws: PostgresError.self) {
                    try await transaction.savepoint { try await transaction.query("SELECT 1/0") }
                }
                try await transaction.query("INSERT INTO \(table) VALUES (2)")
            }
            #expect(try await pool.query("SELECT FROM \(table)") == 1)
        }
    }

    @Test(arguments: [
        "SAVEPOINT a", " savepoint a", "ROLLBACK TO a", "RELEASE a", "COMMIT", "end", "ROLLBACK",
        "BEGIN", "abort",
    ])
    func `A statement that begins or ends a part is refused, and nothing has happened`(
        sql: String
    ) async throws {
        try await withTable { (pool, table) async throws in
            try await pool.transaction { transaction in
                try await transaction.query("INSERT INTO \(table) VALUES (1)")
                let error = await #expect(throws: PostgresError.self) {
                    try await transaction.query(sql)
                }
                #expect(error?.code == .misuse)
            }
            #expect(try await pool.query("SELECT FROM \(table)") == 1)
        }
    }

    @Test(arguments: [
        "/* so */ SAVEPOINT a", "SELECT 1; SAVEPOINT a; ROLLBACK TO a", "SELECT 1; COMMIT",
        "SELECT 1; ROLLBACK", "SELECT 1; ROLLBACK; SELECT 1/0", "SELECT 1; COMMIT; BEGIN",
    ])
    func `One that is hidden in a text is found out, and nothing is committed after it`(
        sql: String
    ) async throws {
        try await withTable { (pool, table) async throws in
            let hasRun = Shared(false)
            let error = await #expect(throws: PostgresError.self) {
                try await pool.transaction { transaction in
                    try transaction.addBeforeCommit { _ in hasRun.change { $0 = true } }
                    do {
                        try await transaction.simple(sql)
                    } catch {
                        // Whoever catches it doesn't get further.
                    }
                    do {
                        try await transaction.query("INSERT INTO \(table) VALUES (1)")
                    } catch is PostgresError {}
                }
            }
            #expect(error?.code == .misuse)
            #expect(!hasRun.value)
        }
    }

    @Test func `Parts beside each other are told apart from nested ones`() async throws {
        try await withTable { (pool, _) async throws in
            var code: PostgresError.Code?
            do {
                try await pool.transaction { transaction in try await Self.cross(transaction) }
            } catch let error as PostgresError {
                code = error.code
            }
            #expect(code == .misuse)
        }
    }

    /// One part ends while another that began later is open. Nobody hears of the errors there.
    private static func cross(_ transaction: PostgresTransaction) async throws {
        let isOpen = Shared(false)
        let first = Task {
            try await transaction.savepoint {
                while !isOpen.value { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
        try await Task.sleep(for: .milliseconds(20))
        let second = Task {
            try await transaction.savepoint {
                isOpen.change { $0 = true }
                try await Task.sleep(for: .milliseconds(60))
            }
        }
        _ = await first.result
        _ = await second.result
    }

    @Test func `Hooks are refused when the transaction is over`() async throws {
        try await withTable { (pool, _) async throws in
            let escaped = Shared<PostgresTransaction?>(nil)
            let late = Shared<[PostgresError.Code]>([])
            let tryLate: @Sendable () -> Void = {
                guard let transaction = escaped.value else { return }
                for add in [
                    { try transaction.addBeforeCommit { _ in } },
                    { try transaction.addAfterCommit {} },
                ] {
                    do {
                        try add()
                    } catch let error as PostgresError {
                        late.change { $0.append(error.code) }
                    } catch {}
                }
            }
            try await pool.transaction { transaction in
                escaped.change { $0 = transaction }
                try transaction.addAfterCommit { tryLate() }
            }
            tryLate()
            #expect(late.value == Array(repeating: .misuse, count: 4))
        }
    }
}
