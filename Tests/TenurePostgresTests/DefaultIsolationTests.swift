import FaultSupport
import TenurePostgres
import TestSupport
import Testing

/// What runs at which isolation where the server has a default of its own.
@Suite struct DefaultIsolationTests {
    private func database(_ level: String) async throws -> (conninfo: String, name: String) {
        let conninfo = try await TestPostgres.shared().makeDatabase()
        let connection = try await PostgresConnection.connect(PostgresConfiguration(conninfo))
        defer { connection.close() }
        let name = try await connection.query("SELECT current_database()") {
            try $0.decode(0, as: String.self)
        }[0]
        try await connection.simple(
            "ALTER DATABASE \(name) SET default_transaction_isolation = '\(level)'")
        return (conninfo, name)
    }

    private func check(_ pool: PostgresPool, _ level: String) async throws {
        // More than one round: the first statement must not decide for those that follow.
        for _ in 0..<3 {
            #expect(try await pool.execute(ReadIsolation()) == ["read committed"])
            let (first, second) = try await pool.pipeline(ReadIsolation(), ReadIsolation())
            #expect(first + second == ["read committed", "read committed"])
            let own = try await pool.transaction { try await $0.execute(ReadIsolation()) }
            #expect(own == [level])
            let tracked = try await pool.transaction(tracked: true) { transaction in
                try await transaction.execute(ReadIsolation())
            }
            #expect(tracked == [level])
            let asked = try await pool.transaction(isolation: .readCommitted) { transaction in
                try await transaction.execute(ReadIsolation())
            }
            #expect(asked == ["read committed"])
            let failed = await failure { try await pool.query("SELECT 1/0") }
            #expect(failed?.sqlState == "22012")
        }
    }

    @Test(arguments: ["read committed", "repeatable read", "serializable"])
    func `Single statements run at READ COMMITTED, a program's transactions at its default`(
        level: String
    ) async throws {
        let configuration = try PostgresConfiguration(try await database(level).conninfo)
        let pool = PostgresPool(configuration: configuration, size: 1)
        try await check(pool, level)
        await pool.close()
    }

    /// A session there is the pooler's, and others': nothing may be left behind in it.
    @Test(arguments: ["read committed", "repeatable read", "serializable"])
    func `Behind a pooler it is the same, and nothing is left in its sessions`(
        level: String
    ) async throws {
        let database = try await database(level).name
        let pooler = try await TestPostgres.shared().pooler()
        defer { pooler.stop() }
        let configuration = try PostgresConfiguration(pooler.conninfo(database: database))
        let pool = PostgresPool(configuration: configuration, size: 1)
        try await check(pool, level)
        // A script is sent as it is, as a program beside this one would send it.
        try await pool.simple(
            "CREATE TABLE seen AS SELECT current_setting('transaction_isolation')")
        let seen = try await pool.query("SELECT * FROM seen") { try $0.decode(0, as: String.self) }
        #expect(seen == [level])
        await pool.close()
    }

    /// A pooler keeps its sessions, which a change of the default doesn't reach, and opens others.
    @Test func `Behind a pooler a session may have another default than the one before it`()
        async throws
    {
        let conninfo = try await TestPostgres.shared().makeDatabase()
        let name = try #require(conninfo.split(separator: "=").last)
        let pooler = try await TestPostgres.shared().pooler()
        defer { pooler.stop() }
        let pool = PostgresPool(
            configuration: try PostgresConfiguration(pooler.conninfo(database: String(name))),
            size: 1)
        #expect(try await pool.execute(ReadIsolation()) == ["read committed"])
        try await TestPostgres.shared().psql(
            "ALTER DATABASE \(name) SET default_transaction_isolation = 'serializable'",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'")
        let asked = ContinuousClock.now
        while true {
            do {
                #expect(try await pool.execute(ReadIsolation()) == ["read committed"])
                break
            } catch let error as PostgresError where ContinuousClock.now < asked + .seconds(30) {
                // The pooler tells of the end of its session, and has another for whoever is next.
                _ = error
            }
        }
        let (first, second) = try await pool.pipeline(ReadIsolation(), ReadIsolation())
        #expect(first + second == ["read committed", "read committed"])
        let own = try await pool.transaction { try await $0.execute(ReadIsolation()) }
        #expect(own == ["serializable"])
        await pool.close()
    }

    /// A reload of the server's configuration reaches sessions that are open.
    @Test func `A default that changes meanwhile changes nothing for what is open`() async throws {
        let postgres = try await TestPostgres.dedicated()
        let pool = PostgresPool(
            configuration: try PostgresConfiguration(postgres.conninfo), size: 1)
        #expect(try await pool.execute(ReadIsolation()) == ["read committed"])
        try await postgres.psql(
            "ALTER SYSTEM SET default_transaction_isolation = 'repeatable read'",
            "SELECT pg_reload_conf()")
        for _ in 0..<20 {
            #expect(try await pool.execute(ReadIsolation()) == ["read committed"])
            try await Task.sleep(for: .milliseconds(10))
        }
        await pool.close()
    }
}

struct ReadIsolation: PostgresStatement {
    static let sql = "SELECT current_setting('transaction_isolation')"

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
